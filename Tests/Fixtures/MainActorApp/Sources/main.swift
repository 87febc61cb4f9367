import PaginatorCore

/// A listener as an app writes it: everything in this module belongs to the main actor.
print("main actor app: ok")
