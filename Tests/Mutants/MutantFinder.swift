import SwiftSyntax

/// Finds what can be changed in a file, without knowing its types.
///
/// A change that the compiler does not take is left out when the compiler says so. Each is written so that it can be
/// switched on in the built program: `a < b` becomes `((a < b) != (isMutant(7) && (a) == (b)))`. Every text stays in its
/// line, so that an error's line is one of the original.
final class MutantFinder: SyntaxVisitor {
    private(set) var mutants: [Mutant] = []

    init(_ file: SourceFileSyntax) {
        super.init(viewMode: .sourceAccurate)
        walk(file)
    }

    /// What is compiled on another system, or with a trait, cannot be noticed here.
    override func visit(_ node: IfConfigClauseSyntax) -> SyntaxVisitorContinueKind {
        let elsewhere = [
            "canImport(Darwin)", "canImport(SQLite3)", "canImport(Network)", "canImport(os)", "canImport(ObjectiveC)",
            "canImport(Combine)", "canImport(UIKit)", "canImport(Musl)", "os(iOS)", "os(tvOS)", "os(watchOS)",
            "os(visionOS)", "SwiftLog", "SwiftMetrics",
        ]
        guard let condition = node.condition?.trimmedDescription, elsewhere.contains(where: condition.hasPrefix) else {
            return .visitChildren
        }
        return .skipChildren
    }

    /// What only tests call, to check a machine's state, is not noticed as long as there is nothing wrong with it.
    override func visit(_ node: FunctionDeclSyntax) -> SyntaxVisitorContinueKind {
        node.name.text == "invariantViolations" ? .skipChildren : .visitChildren
    }

    // MARK: - Expressions

    override func visit(_ node: ConditionElementSyntax) -> SyntaxVisitorContinueKind {
        // `while true` is no condition: behind such a loop the compiler expects nothing.
        if case .expression(let condition) = node.condition, !condition.is(MacroExpansionExprSyntax.self),
            !condition.is(BooleanLiteralExprSyntax.self)
        {
            negate(condition, .condition)
        }
        return .visitChildren
    }

    override func visit(_ node: WhereClauseSyntax) -> SyntaxVisitorContinueKind {
        negate(node.condition, .condition)
        return .visitChildren
    }

    override func visit(_ node: TernaryExprSyntax) -> SyntaxVisitorContinueKind {
        negate(node.condition, .condition)
        return .visitChildren
    }

    override func visit(_ node: InfixOperatorExprSyntax) -> SyntaxVisitorContinueKind {
        guard let sign = node.operator.as(BinaryOperatorExprSyntax.self)?.operator.text, isInCode(node),
            isOneLine(node), !hasEffects(node)
        else { return .visitChildren }
        let (left, right) = (node.leftOperand.trimmedDescription, node.rightOperand.trimmedDescription)
        switch sign {
        case "<", "<=", ">", ">=":
            wrap(node, .boundary, "((", ") != (isMutant(%) && (\(left)) == (\(right))))")
        case "&&", "||":
            wrap(
                node, .logic, "(isMutant(%) ? ((\(left)) \(sign == "&&" ? "||" : "&&") (\(right))) : (", "))")
        default: break
        }
        return .visitChildren
    }

    override func visit(_ node: IntegerLiteralExprSyntax) -> SyntaxVisitorContinueKind {
        guard isInCode(node), let value = Int(node.literal.text), value < 100, !isInPattern(node) else {
            return .skipChildren
        }
        wrap(node, .number, "(isMutant(%) ? \(value + 1) : ", ")")
        return .skipChildren
    }

    override func visit(_ node: FunctionCallExprSyntax) -> SyntaxVisitorContinueKind {
        let arguments = Array(node.arguments)
        guard arguments.count == 2, node.trailingClosure == nil, isInCode(node), isOneLine(node), !hasEffects(node),
            arguments.allSatisfy({ $0.expression.is(DeclReferenceExprSyntax.self) }),
            arguments[0].expression.trimmedDescription != arguments[1].expression.trimmedDescription
        else { return .visitChildren }
        let swapped = zip(arguments, arguments.reversed())
            .map { ($0.label.map { "\($0.text): " } ?? "") + $1.expression.trimmedDescription }
            .joined(separator: ", ")
        let isStatement = node.parent?.is(CodeBlockItemSyntax.self) ?? false
        guard !isStatement else { return .visitChildren }
        wrap(
            node, .arguments, "(isMutant(%) ? \(node.calledExpression.trimmedDescription)(\(swapped)) : ", ")")
        return .visitChildren
    }

    // MARK: - Statements

    override func visit(_ node: CodeBlockItemSyntax) -> SyntaxVisitorContinueKind {
        guard case .expr(let expression) = node.item else { return .visitChildren }
        let bare = withoutEffects(expression)
        if let call = bare.as(FunctionCallExprSyntax.self) {
            if mayBeLeftOut(call, in: node) { leaveOut(node, .call) }
        } else if let assignment = bare.as(InfixOperatorExprSyntax.self), isAssignment(assignment) {
            leaveOut(node, .assignment)
        }
        if isOnly(node), let type = returnType(of: node) { returnConstant(expression, type, hasKeyword: false) }
        return .visitChildren
    }

    override func visit(_ node: ReturnStmtSyntax) -> SyntaxVisitorContinueKind {
        if let expression = node.expression, let type = returnType(of: node) {
            returnConstant(expression, type, hasKeyword: true)
        }
        return .visitChildren
    }

    override func visit(_ node: DeferStmtSyntax) -> SyntaxVisitorContinueKind {
        let start = offset(node.body.leftBrace.endPositionBeforeTrailingTrivia)
        let end = offset(node.body.rightBrace)
        add(
            .cleanup, node,
            [Insertion(offset: start, text: " if !isMutant(%) {"), Insertion(offset: end, text: "} ")])
        return .visitChildren
    }

    // Of attributes and conditions of compilation nothing is changed.
    override func visit(_ node: AttributeSyntax) -> SyntaxVisitorContinueKind { .skipChildren }

    // MARK: - How it is written

    private func negate(_ expression: ExprSyntax, _ kind: Mutant.Kind) {
        guard isInCode(expression) else { return }
        wrap(expression, kind, "((", ") != isMutant(%))")
    }

    private func leaveOut(_ node: CodeBlockItemSyntax, _ kind: Mutant.Kind) {
        wrap(node, kind, "if !isMutant(%) { ", " }")
    }

    private func returnConstant(_ expression: ExprSyntax, _ type: String, hasKeyword: Bool) {
        guard !expression.is(IfExprSyntax.self), !expression.is(SwitchExprSyntax.self) else { return }
        let constant: String
        switch type {
        case "Bool": return negate(expression, .constant)
        case "Int", "UInt64", "Double": constant = "0"
        case _ where type.hasSuffix("?"): constant = "nil"
        case _ where type.hasPrefix("[") && !type.contains(":"): constant = "[]"
        case _ where type.hasPrefix("[") && type.hasSuffix("]"): constant = "[:]"
        default: return
        }
        guard expression.trimmedDescription != constant else { return }
        if hasKeyword, let statement = expression.parent {
            add(
                .constant, statement,
                [Insertion(offset: offset(statement), text: "if isMutant(%) { return \(constant) }; ")])
        } else {
            add(
                .constant, expression,
                [Insertion(offset: offset(expression), text: "if isMutant(%) { return \(constant) }; return ")])
        }
    }

    private func wrap(_ node: some SyntaxProtocol, _ kind: Mutant.Kind, _ before: String, _ behind: String) {
        let end = offset(node.endPositionBeforeTrailingTrivia)
        add(
            kind, node,
            [Insertion(offset: offset(node), text: before), Insertion(offset: end, text: behind)])
    }

    private func add(_ kind: Mutant.Kind, _ node: some SyntaxProtocol, _ insertions: [Insertion]) {
        mutants.append(
            Mutant(
                kind: kind, range: offset(node)..<offset(node.endPositionBeforeTrailingTrivia),
                insertions: insertions))
    }

    private func offset(_ node: some SyntaxProtocol) -> Int { offset(node.positionAfterSkippingLeadingTrivia) }

    private func offset(_ position: AbsolutePosition) -> Int { position.utf8Offset }

    // MARK: - What may be changed

    private func isOneLine(_ node: some SyntaxProtocol) -> Bool { !node.trimmedDescription.contains("\n") }

    private func hasEffects(_ node: some SyntaxProtocol) -> Bool {
        let words = node.tokens(viewMode: .sourceAccurate).map(\.text)
        return words.contains("try") || words.contains("await") || words.contains("{")
    }

    /// Whether it is within a body, where the switch can be asked.
    private func isInCode(_ node: some SyntaxProtocol) -> Bool {
        var parent = node.parent
        while let next = parent {
            if next.is(CodeBlockItemListSyntax.self) { return !(next.parent?.is(SourceFileSyntax.self) ?? true) }
            if next.is(EnumCaseDeclSyntax.self) || next.is(FunctionParameterSyntax.self) { return false }
            parent = next.parent
        }
        return false
    }

    private func isInPattern(_ node: some SyntaxProtocol) -> Bool {
        var parent = node.parent
        while let next = parent, !next.is(CodeBlockItemSyntax.self) {
            if next.is(SwitchCaseItemSyntax.self) || next.is(ExpressionPatternSyntax.self)
                || next.is(MatchingPatternConditionSyntax.self) || next.is(CatchItemSyntax.self)
            {
                return true
            }
            parent = next.parent
        }
        return false
    }

    private func withoutEffects(_ expression: ExprSyntax) -> ExprSyntax {
        if let node = expression.as(TryExprSyntax.self) { return withoutEffects(node.expression) }
        if let node = expression.as(AwaitExprSyntax.self) { return withoutEffects(node.expression) }
        if let node = expression.as(UnsafeExprSyntax.self) { return withoutEffects(node.expression) }
        return expression
    }

    private func mayBeLeftOut(_ call: FunctionCallExprSyntax, in item: CodeBlockItemSyntax) -> Bool {
        let name = call.calledExpression.trimmedDescription
        guard isInCode(item), !name.hasSuffix(".init"), !["fatalError", "preconditionFailure"].contains(name),
            // It only holds the compiler to something, or saves time.
            !["precondition", "assert", "withExtendedLifetime"].contains(name),
            !name.hasSuffix(".reserveCapacity"), !name.hasSuffix(".makeContiguousUTF8")
        else { return false }
        return !isOnly(item) || isBodyOfProcedure(item)
    }

    private func isAssignment(_ node: InfixOperatorExprSyntax) -> Bool {
        if node.operator.is(AssignmentExprSyntax.self) {
            // A variable may have to be set before it is used, and a property before an initializer ends.
            let target = node.leftOperand
            let isPart = target.is(MemberAccessExprSyntax.self) || target.is(SubscriptCallExprSyntax.self)
            return isPart && isInCode(node) && !isInInitializer(node)
        }
        let sign = node.operator.as(BinaryOperatorExprSyntax.self)?.operator.text ?? ""
        let comparisons = ["==", "!=", "<=", ">=", "===", "!=="]
        return sign.hasSuffix("=") && !comparisons.contains(sign) && isInCode(node)
    }

    private func isInInitializer(_ node: some SyntaxProtocol) -> Bool {
        var parent = node.parent
        while let next = parent, !next.is(MemberBlockSyntax.self) {
            if next.is(InitializerDeclSyntax.self) { return true }
            parent = next.parent
        }
        return false
    }

    private func isOnly(_ node: CodeBlockItemSyntax) -> Bool {
        node.parent?.as(CodeBlockItemListSyntax.self)?.count == 1
    }

    /// Whether the body's value is of no interest: of a function without a result, a branch or a loop.
    private func isBodyOfProcedure(_ node: CodeBlockItemSyntax) -> Bool {
        guard let owner = node.parent?.parent?.parent else { return false }
        if let function = owner.as(FunctionDeclSyntax.self) { return function.signature.returnClause == nil }
        return owner.is(InitializerDeclSyntax.self) || owner.is(ForStmtSyntax.self) || owner.is(WhileStmtSyntax.self)
            || owner.is(IfExprSyntax.self) || owner.is(DeinitializerDeclSyntax.self)
    }

    /// The declared type of what the innermost body returns; `nil` in a closure.
    private func returnType(of node: some SyntaxProtocol) -> String? {
        let isStatement = node.is(ReturnStmtSyntax.self)
        var parent = node.parent
        var depth = 0
        while let next = parent {
            if next.is(ClosureExprSyntax.self) { return nil }
            if let function = next.as(FunctionDeclSyntax.self) {
                guard isStatement || depth <= 2 else { return nil }
                return function.signature.returnClause?.type.trimmedDescription
            }
            if let binding = next.as(PatternBindingSyntax.self) {
                guard binding.accessorBlock != nil, isStatement || depth <= 4 else { return nil }
                return binding.typeAnnotation?.type.trimmedDescription
            }
            if let accessor = next.as(AccessorDeclSyntax.self), accessor.accessorSpecifier.text != "get" { return nil }
            if let subscripting = next.as(SubscriptDeclSyntax.self) {
                guard isStatement || depth <= 4 else { return nil }
                return subscripting.returnClause.type.trimmedDescription
            }
            if next.is(InitializerDeclSyntax.self) || next.is(MemberBlockSyntax.self) { return nil }
            if !isStatement, next.is(IfExprSyntax.self) || next.is(SwitchCaseSyntax.self) || next.is(DoStmtSyntax.self)
            {
                return nil
            }
            depth += 1
            parent = next.parent
        }
        return nil
    }
}
