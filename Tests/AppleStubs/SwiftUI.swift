// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation, DontRepeatTypeInStaticProperties, AlwaysUseLowerCamelCase, TypeNamesShouldBeCapitalized, NoLeadingUnderscores

@_exported import Combine
@_exported import Foundation

// MARK: - Views

@MainActor @preconcurrency public protocol View {
    associatedtype Body: View

    @ViewBuilder @MainActor @preconcurrency var body: Body { get }
}

extension Never: View {
    public var body: Never { fatalError("Stubs do not run.") }
}

/// A view without parts.
@MainActor @preconcurrency public protocol Primitive: View where Body == Never {}

extension Primitive {
    public var body: Never { fatalError("Stubs do not run.") }
}

@resultBuilder public struct ViewBuilder {
    public static func buildExpression<Content: View>(_ content: Content) -> Content { content }

    public static func buildBlock() -> EmptyView { EmptyView() }

    public static func buildBlock<Content: View>(_ content: Content) -> Content { content }

    public static func buildBlock<each Content: View>(
        _ content: repeat each Content
    ) -> TupleView<
        (repeat each Content)
    > { TupleView() }

    public static func buildIf<Content: View>(_ content: Content?) -> Content? { content }

    public static func buildEither<First: View, Second: View>(first: First) -> ConditionalContent<First, Second> {
        ConditionalContent()
    }

    public static func buildEither<First: View, Second: View>(second: Second) -> ConditionalContent<First, Second> {
        ConditionalContent()
    }

    public static func buildLimitedAvailability<Content: View>(_ content: Content) -> AnyView { AnyView(content) }
}

extension Optional: View where Wrapped: View {
    public var body: Never { fatalError("Stubs do not run.") }
}

public struct TupleView<T>: Primitive {
    nonisolated init() {}
}

public struct ConditionalContent<First: View, Second: View>: Primitive {
    nonisolated init() {}
}

public struct EmptyView: Primitive {
    public nonisolated init() {}
}

public struct AnyView: Primitive {
    public nonisolated init<V: View>(_ view: V) {}
}

public struct Group<Content: View>: Primitive {
    public init(@ViewBuilder content: () -> Content) {}
}

public struct LocalizedStringKey: ExpressibleByStringInterpolation, Sendable {
    public init(stringLiteral value: String) {}
}

public struct Text: Primitive {
    public init(_ key: LocalizedStringKey) {}

    @_disfavoredOverload public init<S: StringProtocol>(_ content: S) {}
}

public struct Button<Label: View>: Primitive {
    @preconcurrency public init(action: @escaping @MainActor () -> Void, @ViewBuilder label: () -> Label) {}
}

extension Button where Label == Text {
    @preconcurrency public init(_ title: LocalizedStringKey, action: @escaping @MainActor () -> Void) {}
}

public struct ProgressView: Primitive {
    public init() {}
}

// MARK: - Layout

public struct HorizontalAlignment: Sendable {
    public static let leading = HorizontalAlignment()
    public static let center = HorizontalAlignment()
}

public struct VerticalAlignment: Sendable {
    public static let center = VerticalAlignment()
}

public struct Alignment: Sendable {
    public static let center = Alignment()
    public static let top = Alignment()
    public static let bottom = Alignment()
    public static let leading = Alignment()
}

public struct UnitPoint: Hashable, Sendable {
    public static let top = UnitPoint()
    public static let bottom = UnitPoint()
}

public struct PinnedScrollableViews: OptionSet, Sendable {
    public static let sectionHeaders = PinnedScrollableViews(rawValue: 1)

    public let rawValue: UInt32

    public init(rawValue: UInt32) {
        self.rawValue = rawValue
    }
}

public struct VStack<Content: View>: Primitive {
    public init(alignment: HorizontalAlignment = .center, spacing: CGFloat? = nil, @ViewBuilder content: () -> Content)
    {}
}

public struct HStack<Content: View>: Primitive {
    public init(alignment: VerticalAlignment = .center, spacing: CGFloat? = nil, @ViewBuilder content: () -> Content) {}
}

public struct LazyVStack<Content: View>: Primitive {
    public init(
        alignment: HorizontalAlignment = .center, spacing: CGFloat? = nil, pinnedViews: PinnedScrollableViews = [],
        @ViewBuilder content: () -> Content
    ) {}
}

public struct ScrollView<Content: View>: Primitive {
    public init(@ViewBuilder content: () -> Content) {}
}

public struct List<SelectionValue: Hashable, Content: View>: Primitive {
    public init(@ViewBuilder content: () -> Content) where SelectionValue == Never {}
}

extension List {
    public init<Data: RandomAccessCollection, ID: Hashable, Row: View>(
        _ data: Data, id: KeyPath<Data.Element, ID>, @ViewBuilder rowContent: @escaping (Data.Element) -> Row
    ) where SelectionValue == Never, Content == ForEach<Data, ID, Row> {}
}

public struct Section<Parent: View, Content: View, Footer: View>: Primitive {
    public init(@ViewBuilder content: () -> Content, @ViewBuilder header: () -> Parent) where Footer == EmptyView {}
}

public struct ForEach<Data: RandomAccessCollection, ID: Hashable, Content: View>: Primitive {
    public init(_ data: Data, @ViewBuilder content: @escaping (Data.Element) -> Content)
    where Data.Element: Identifiable, ID == Data.Element.ID {}

    public init(_ data: Data, id: KeyPath<Data.Element, ID>, @ViewBuilder content: @escaping (Data.Element) -> Content)
    {}
}

extension ForEach where Data == Range<Int>, ID == Int {
    public init(_ data: Range<Int>, @ViewBuilder content: @escaping (Int) -> Content) {}
}

@MainActor @preconcurrency public struct ScrollViewProxy {
    public func scrollTo<ID: Hashable>(_ id: ID, anchor: UnitPoint? = nil) {}
}

public struct ScrollViewReader<Content: View>: Primitive {
    public init(@ViewBuilder content: @escaping (ScrollViewProxy) -> Content) {}
}

// MARK: - State

@propertyWrapper public struct State<Value> {
    public init(wrappedValue value: Value) {}

    public var wrappedValue: Value {
        get { fatalError("Stubs do not run.") }
        nonmutating set {}
    }

    public var projectedValue: Binding<Value> { fatalError("Stubs do not run.") }
}

@propertyWrapper public struct Binding<Value> {
    public init(get: @escaping () -> Value, set: @escaping (Value) -> Void) {}

    public var wrappedValue: Value {
        get { fatalError("Stubs do not run.") }
        nonmutating set {}
    }

    public var projectedValue: Binding<Value> { self }
}

@MainActor @preconcurrency @propertyWrapper public struct ObservedObject<ObjectType: ObservableObject> {
    public var wrappedValue: ObjectType

    public init(wrappedValue: ObjectType) {
        self.wrappedValue = wrappedValue
    }
}

@MainActor @preconcurrency @propertyWrapper public struct StateObject<ObjectType: ObservableObject> {
    public var wrappedValue: ObjectType { fatalError("Stubs do not run.") }

    public init(wrappedValue thunk: @autoclosure @escaping () -> ObjectType) {}
}

// MARK: - Modifiers

public struct Modified<Content: View>: Primitive {}

public struct RedactionReasons: OptionSet, Sendable {
    public static let placeholder = RedactionReasons(rawValue: 1)

    public let rawValue: Int

    public init(rawValue: Int) {
        self.rawValue = rawValue
    }
}

public struct Font: Sendable {
    public static let headline = Font()
    public static let footnote = Font()
}

public struct AccessibilityChildBehavior: Hashable, Sendable {
    public static let ignore = AccessibilityChildBehavior()
}

public enum TextAlignment: Sendable { case leading, center, trailing }

extension View {
    public func onAppear(perform action: (() -> Void)? = nil) -> some View { self }
    public func onDisappear(perform action: (() -> Void)? = nil) -> some View { self }

    public func refreshable(action: @escaping @Sendable () async -> Void) -> some View { self }

    @available(iOS 17, macOS 14, tvOS 17, watchOS 10, *)
    public func onChange<V: Equatable>(of value: V, initial: Bool = false, _ action: @escaping () -> Void) -> some View
    { self }

    public func onChange<V: Equatable>(of value: V, perform action: @escaping (_ newValue: V) -> Void) -> some View {
        self
    }

    @available(iOS 17, macOS 14, tvOS 17, watchOS 10, *)
    public func scrollPosition(id: Binding<(some Hashable)?>, anchor: UnitPoint? = nil) -> some View { self }

    @available(iOS 17, macOS 14, tvOS 17, watchOS 10, *)
    public func defaultScrollAnchor(_ anchor: UnitPoint?) -> some View { self }

    @available(iOS 17, macOS 14, tvOS 17, watchOS 10, *)
    public func scrollTargetLayout(isEnabled: Bool = true) -> some View { self }

    public func overlay<V: View>(alignment: Alignment = .center, @ViewBuilder content: () -> V) -> some View { self }

    public func frame(
        minWidth: CGFloat? = nil, idealWidth: CGFloat? = nil, maxWidth: CGFloat? = nil, minHeight: CGFloat? = nil,
        idealHeight: CGFloat? = nil, maxHeight: CGFloat? = nil, alignment: Alignment = .center
    ) -> some View { self }

    public func padding(_ length: CGFloat) -> some View { self }
    public func padding() -> some View { self }
    public func redacted(reason: RedactionReasons) -> some View { self }
    public func accessibilityHidden(_ hidden: Bool) -> some View { self }
    public func accessibilityLabel(_ label: LocalizedStringKey) -> some View { self }
    public func accessibilityElement(children: AccessibilityChildBehavior = .ignore) -> some View { self }
    public func id<ID: Hashable>(_ id: ID) -> some View { self }
    public func font(_ font: Font?) -> some View { self }
    public func multilineTextAlignment(_ alignment: TextAlignment) -> some View { self }
    public func navigationTitle(_ title: LocalizedStringKey) -> some View { self }
    public func searchable(text: Binding<String>) -> some View { self }
}
