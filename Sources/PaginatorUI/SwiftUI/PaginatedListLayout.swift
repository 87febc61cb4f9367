#if canImport(SwiftUI)
    public import SwiftUI

    /// The container of a `PaginatedList`'s rows.
    public struct PaginatedListLayout: Sendable {
        enum Kind: Sendable {
            case list
            case stack(spacing: CGFloat?)
        }

        let kind: Kind

        /// A `List` with its separators, swipe actions and styles.
        public static let list = PaginatedListLayout(kind: .list)

        /// A lazy stack in a scroll view, for rows with a style of their own.
        ///
        /// - Parameter spacing: the distance between rows; the system's by default.
        public static func stack(spacing: CGFloat? = nil) -> PaginatedListLayout {
            PaginatedListLayout(kind: .stack(spacing: spacing))
        }

        /// Whether the system keeps the row that a binding identifies in place.
        var keepsPosition: Bool {
            guard case .stack = kind, #available(iOS 17, macOS 14, tvOS 17, watchOS 10, *) else { return false }
            return true
        }
    }

    /// The rows in their container.
    struct PaginatedListContainer<RowID: Hashable, Content: View>: View {
        let layout: PaginatedListLayout
        /// Whether it opens at its last row.
        let opensAtEnd: Bool
        /// The first visible row, if the system reports and keeps it.
        @Binding var position: RowID?
        @ViewBuilder let content: () -> Content

        var body: some View {
            switch layout.kind {
            case .list:
                List { content() }
            case .stack(let spacing):
                if #available(iOS 17, macOS 14, tvOS 17, watchOS 10, *) {
                    ScrollView {
                        LazyVStack(spacing: spacing, pinnedViews: .sectionHeaders) { content() }.scrollTargetLayout()
                    }
                    .scrollPosition(id: $position, anchor: .top)
                    .defaultScrollAnchor(opensAtEnd ? .bottom : nil)
                } else {
                    ScrollView {
                        LazyVStack(spacing: spacing, pinnedViews: .sectionHeaders) { content() }
                    }
                }
            }
        }
    }

    extension View {
        /// A pull that performs an action with a value; without one there is no pull.
        @ViewBuilder func refreshes<Value: Sendable>(
            _ value: Value?, _ action: @escaping @Sendable (Value) async -> Void
        ) -> some View {
            if let value { refreshable { await action(value) } } else { self }
        }

        /// The form of `onChange` that the system supports.
        func onChanged(of value: some Equatable, _ action: @escaping @MainActor () -> Void) -> some View {
            Group {
                if #available(iOS 17, macOS 14, tvOS 17, watchOS 10, *) {
                    onChange(of: value) { action() }
                } else {
                    onChange(of: value) { _ in action() }
                }
            }
        }
    }
#endif
