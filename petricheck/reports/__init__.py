"""Findings and nets for people: texts, explanations, pages, notebooks, surveys."""
