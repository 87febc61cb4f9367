#if canImport(SwiftUI)
    public import SwiftUI

    /// What the rows of a `PaginatedList` stand in.
    public struct PaginatedListLayout: Sendable {
        enum Kind: Sendable {
            case list
            case stack(spacing: CGFloat?)
        }

        let kind: Kind

        /// A `List`, with its separators, swipes and styles.
        public static let list = PaginatedListLayout(kind: .list)

        /// A lazy stack in a scroll view, for rows that bring their own looks.
        ///
        /// - Parameter spacing: the distance between two rows; the system's by default.
        public static func stack(spacing: CGFloat? = nil) -> PaginatedListLayout {
            PaginatedListLayout(kind: .stack(spacing: spacing))
        }

        /// Whether the system keeps the row that a binding names where it is.
        var keepsPosition: Bool {
            guard case .stack = kind, #available(iOS 17, macOS 14, tvOS 17, watchOS 10, *) else { return false }
            return true
        }
    }

    /// Rows in what they stand in.
    struct PaginatedListContainer<RowID: Hashable, Content: View>: View {
        let layout: PaginatedListLayout
        /// The first visible row, as far as the system tells and keeps it.
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
                } else {
                    ScrollView {
                        LazyVStack(spacing: spacing, pinnedViews: .sectionHeaders) { content() }
                    }
                }
            }
        }
    }

    extension View {
        /// The form of `onChange` that the system has.
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
