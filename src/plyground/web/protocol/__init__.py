"""What the web app receives and sends: models, messages, validation, the OpenAPI document."""
