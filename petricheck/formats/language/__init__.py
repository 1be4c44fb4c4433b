"""The language of questions: formulas, terms, names, numbers; and enabled transitions as formulas.

Kinds of questions and the readers of property files turn words into formulas with it.
"""
