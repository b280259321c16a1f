"""Jira's query language: written safely, and narrowed to what the operator allows."""
