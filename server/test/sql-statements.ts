import path from 'node:path'
import {
  type ConditionalExpression,
  type Expression,
  type Node,
  type ParenthesizedExpression,
  type SourceFile,
  SyntaxKind,
  type TaggedTemplateExpression,
  type TemplateExpression,
} from 'typescript/unstable/ast'
import { API, type Checker, SymbolFlags, type Type } from 'typescript/unstable/sync'
import { projectRoot } from '../src/platform/project-root.ts'
import { type DeclaredType, type Parameter, parameterOf, readRowType } from './sql-declared-types.ts'

/** A statement of the sources, its values replaced by $1, $2 and so on. */
export type Statement = {
  /** File and line. */
  place: string
  text: string
  parameters: Parameter[]
  /** The properties of the declared row type; undefined if none is declared, or one without known properties. */
  columns: Map<string, DeclaredType> | undefined
}

export type FoundStatements = {
  statements: Statement[]
  /** Places of statements with a part that is only known when they run. */
  dynamic: string[]
}

/** Reads every SQL statement in the server's sources with the TypeScript compiler, which knows the types of their values. */
export function findStatements(): FoundStatements {
  const api = new API({ cwd: projectRoot })
  try {
    const config = path.join(projectRoot, 'tsconfig.json')
    const project = api.updateSnapshot({ openProjects: [config] }).getProject(config)
    if (!project) throw new Error('TypeScript did not open the project.')
    const source = path.join(projectRoot, 'server', 'src')
    const reader = new StatementReader(project.checker)
    for (const name of project.program.getSourceFileNames()) {
      const file = name.startsWith(source) && !name.endsWith('.test.ts') && project.program.getSourceFile(name)
      if (file) reader.read(file)
    }
    return reader.result()
  } finally {
    api.close()
  }
}

/** Whole statements begin with one of these words; other templates are parts of statements. */
const STATEMENT = /^\s*(select|insert|update|delete|with|lock|set|truncate|analyze|create|alter|drop)\b/i

/** A part of a statement that cannot be read from the sources. */
class DynamicPart extends Error {}

class StatementReader {
  readonly #checker: Checker
  readonly #statements = new Map<string, Statement>()
  readonly #dynamic: string[] = []
  /** Places of templates that are parts of others. Some of them begin like a statement. */
  readonly #parts = new Set<string>()

  constructor(checker: Checker) {
    this.#checker = checker
  }

  read(file: SourceFile): void {
    this.#visit(file, false)
  }

  result(): FoundStatements {
    const isStandalone = (location: string) => !this.#parts.has(location)
    return {
      statements: [...this.#statements]
        .filter(([location]) => isStandalone(location))
        .map(([, statement]) => statement),
      dynamic: this.#dynamic.filter(isStandalone),
    }
  }

  #visit(node: Node, isInside: boolean): void {
    const isSql = isTagged(node) && this.#isSqlTag(node.tag)
    if (isSql && !isInside && couldBeStatement(node)) this.#add(node)
    node.forEachChild((child) => this.#visit(child, isInside || isSql))
  }

  /** Whether this is the tag of postgres.js, whatever the variable is called. */
  #isSqlTag(tag: Expression): boolean {
    const type = this.#checker.getTypeAtLocation(tag)
    return type !== undefined && this.#checker.getPropertyOfType(type, 'unsafe') !== undefined
  }

  #add(node: TaggedTemplateExpression): void {
    const location = sourceLocation(node)
    const parameters: Parameter[] = []
    try {
      const text = this.#render(node, parameters, 0)
      if (!STATEMENT.test(text)) return
      const [declared] = node.typeArguments ?? []
      const columns = declared && readRowType(this.#checker, declared)
      this.#statements.set(location, { place: location, text, parameters, columns })
    } catch (error) {
      if (!(error instanceof DynamicPart)) throw error
      this.#dynamic.push(location)
    }
  }

  #render(node: TaggedTemplateExpression, parameters: Parameter[], depth: number): string {
    if (depth > 0) this.#parts.add(sourceLocation(node))
    const [head = '', ...rest] = templateParts(node)
    let text = head
    for (const [n, value] of valuesOf(node).entries()) {
      text += this.#renderValue(value, text, parameters, depth) + (rest[n] ?? '')
    }
    return text
  }

  #renderValue(value: Expression, before: string, parameters: Parameter[], depth: number): string {
    const plain = withoutParentheses(value)
    if (isTagged(plain)) return this.#render(plain, parameters, depth + 1)
    const type = this.#typeTextOf(plain)
    if (type.startsWith('Helper<')) return this.#renderHelper(plain as CallOf, before, parameters)
    if (!/PendingQuery|Fragment|ReturnType<Sql>/.test(type)) return addParameter(parameters, type)
    const source = depth < MAX_DEPTH ? this.#sourceOf(plain) : undefined
    if (!source) throw new DynamicPart()
    return this.#renderValue(source, before, parameters, depth + 1)
  }

  #typeTextOf(node: Node): string {
    const type = this.#checker.getTypeAtLocation(node)
    return type ? this.#checker.typeToString(type) : 'unknown'
  }

  /** The template that a name, a call or a condition stands for; of a condition, the branch with more text. */
  #sourceOf(node: Expression): Expression | undefined {
    if (node.kind === SyntaxKind.ConditionalExpression) {
      const { whenTrue, whenFalse } = node as ConditionalExpression
      const branches = [whenTrue, whenFalse].map(withoutParentheses)
      const [longest] = branches.filter(isTagged).sort((a, b) => templateLength(b) - templateLength(a))
      return longest ?? branches.find((branch) => this.#sourceOf(branch))
    }
    if (node.kind === SyntaxKind.CallExpression)
      return returnedExpression(this.#declarationOf((node as CallOf).expression))
    if (node.kind !== SyntaxKind.Identifier) return undefined
    return (this.#declarationOf(node) as Declaration | undefined)?.initializer
  }

  #declarationOf(node: Node): Node | undefined {
    const symbol = this.#checker.getSymbolAtLocation(node)
    if (!symbol) return undefined
    const isAlias = (symbol.flags & SymbolFlags.Alias) !== 0
    return (isAlias ? this.#checker.getAliasedSymbol(symbol) : symbol).valueDeclaration?.resolve()
  }

  /** `sql('name')`, and `sql(row)` or `sql(rows)` after `insert into …` or `set`, by the properties of the row's type. */
  #renderHelper(call: CallOf, before: string, parameters: Parameter[]): string {
    const [options, ...names] = call.arguments ?? []
    const type = options && this.#checker.getTypeAtLocation(options)
    if (!type) throw new DynamicPart()
    if (options.kind === SyntaxKind.StringLiteral) return `"${(options as LiteralOf).text}"`
    const isUpdate = /\bset\s*$/i.test(before)
    if (!isUpdate && !/insert into \S+\s*$/i.test(before)) throw new DynamicPart()
    const row = this.#checker.getIndexInfosOfType(type)[0]?.valueType ?? type
    const columns = names.length > 0 ? names.map((name) => (name as LiteralOf).text) : this.#propertyNamesOf(row)
    if (columns.length === 0 || columns.some((column) => !column)) throw new DynamicPart()
    const values = columns.map((column) => {
      const property = this.#checker.getPropertyOfType(row, column)
      const valueType = property && this.#checker.getTypeOfSymbol(property)
      return addParameter(parameters, valueType ? this.#checker.typeToString(valueType) : 'unknown')
    })
    if (isUpdate) return columns.map((column, n) => `"${column}" = ${values[n]}`).join(', ')
    return `(${columns.map((column) => `"${column}"`).join(', ')}) values (${values.join(', ')})`
  }

  #propertyNamesOf(row: Type): string[] {
    return this.#checker.getPropertiesOfType(row).map(({ name }) => name)
  }
}

/** Fragments within fragments; deeper ones would be recursive. */
const MAX_DEPTH = 8

type CallOf = Expression & { expression: Expression; arguments?: Expression[] }
type LiteralOf = Expression & { text: string }
type Declaration = { initializer?: Expression; body?: Node }

function addParameter(parameters: Parameter[], type: string): string {
  parameters.push(parameterOf(type))
  return `$${parameters.length}`
}

/** What a function of one expression, or with one return statement, returns. */
function returnedExpression(declaration: Node | undefined): Expression | undefined {
  const { initializer, body = (initializer as Declaration | undefined)?.body } = (declaration ?? {}) as Declaration
  if (body?.kind !== SyntaxKind.Block) return body as Expression | undefined
  const { statements } = body as unknown as { statements: readonly Node[] }
  const returned = statements.find(({ kind }) => kind === SyntaxKind.ReturnStatement)
  return (returned as { expression?: Expression } | undefined)?.expression
}

const isTagged = (node: Node): node is TaggedTemplateExpression => node.kind === SyntaxKind.TaggedTemplateExpression

const withoutParentheses = (node: Expression): Expression =>
  node.kind === SyntaxKind.ParenthesizedExpression
    ? withoutParentheses((node as ParenthesizedExpression).expression)
    : node

const hasValues = (template: Node): template is TemplateExpression => template.kind === SyntaxKind.TemplateExpression

/** The texts between the values of a template. */
function templateParts({ template }: TaggedTemplateExpression): string[] {
  if (!hasValues(template)) return [template.text]
  return [template.head.text, ...template.templateSpans.map(({ literal }) => literal.text)]
}

/** A statement may begin with a fragment, as with one that holds its common table expressions. */
function couldBeStatement(node: TaggedTemplateExpression): boolean {
  const [head = '', ...rest] = templateParts(node)
  return STATEMENT.test(head) || (head.trim() === '' && rest.some((part) => /\S/.test(part)))
}

const templateLength = (node: TaggedTemplateExpression): number => templateParts(node).join('').length

const valuesOf = ({ template }: TaggedTemplateExpression): Expression[] =>
  hasValues(template) ? template.templateSpans.map(({ expression }) => expression) : []

function sourceLocation(node: Node): string {
  const file = node.getSourceFile()
  const line = file.text.slice(0, node.getStart(file)).split('\n').length
  return `${path.relative(projectRoot, file.fileName)}:${line}`
}
