"""The steps of a conversation: what is added to its history at each answer, with tools and without."""
