/// One small change of a program, and where it is.
struct Mutant {
    /// What kinds of changes there are; see ``MutantFinder`` for how each is written.
    enum Kind: String {
        /// A condition is the opposite.
        case condition
        /// A comparison takes equal values the other way.
        case boundary
        /// `&&` is `||`, or `||` is `&&`.
        case logic
        /// A whole number is one more.
        case number
        /// A function returns a constant: `nil`, nothing, 0, or the opposite of a Boolean.
        case constant
        /// A call, or an assignment, is left out.
        case call, assignment
        /// A `defer` does nothing.
        case cleanup
        /// Two arguments of a call take each other's places.
        case arguments
    }

    let kind: Kind
    /// Where the changed part is, in bytes of the file.
    let range: Range<Int>
    /// What is written before, behind and within the part, so that ``number(in:)`` decides at run time.
    let insertions: [Insertion]
}

/// A text that is written into a file. `%` in it stands for the mutant's number.
struct Insertion {
    let offset: Int
    let text: String
}
