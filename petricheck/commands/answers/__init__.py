"""What `petricheck NET` with a question does: it answers, prints and writes."""
