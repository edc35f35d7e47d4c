"""What only tests need: stand-ins and builders that several test packages share."""
