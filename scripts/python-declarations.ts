// Converts the part of JSON Schema that the HTTP API uses to Python types: TypedDict classes and type expressions.
import type { Schema } from './typescript-declarations.ts'

const LINE_WIDTH = 100
const INDENT = '    '

const SIMPLE: Readonly<Record<string, string>> = {
  string: 'str',
  integer: 'int',
  number: 'float',
  boolean: 'bool',
  null: 'None',
}

/** Words that cannot be names in Python. Soft keywords such as `match` and `type` can. */
const KEYWORDS = new Set(
  (
    'False None True and as assert async await break class continue def del elif else except finally for from ' +
    'global if import in is lambda nonlocal not or pass raise return try while with yield'
  ).split(' '),
)

/** Turns `botAccounts` and `If-Match` into Python names. A keyword gets an underscore. */
export function toPythonName(name: string): string {
  const words = name.replaceAll(/([a-z0-9])([A-Z])/g, '$1_$2').replaceAll(/\W/g, '_')
  const lower = words.toLowerCase()
  return KEYWORDS.has(lower) ? `${lower}_` : lower
}

export function toClassName(name: string): string {
  return name
    .split(/[^A-Za-z0-9]+/)
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join('')
}

export function pythonComment(text: string, indent: string): string[] {
  const lines: string[] = []
  for (const word of text.split(/\s+/).filter((one) => one !== '')) {
    const last = lines.at(-1)
    if (last !== undefined && `${last} ${word}`.length <= LINE_WIDTH) {
      lines[lines.length - 1] = `${last} ${word}`
    } else lines.push(`${indent}# ${word}`)
  }
  return lines
}

/** A line with a type. A long `Literal` gets a line for each value. */
export function wrapLiteral(line: string, indent: string): string {
  if (line.length <= LINE_WIDTH) return line
  return line.replace(/Literal\[(.*?)\]/, (_, values: string) =>
    [
      'Literal[',
      ...values.split(', ').map((value) => `${indent}${INDENT}${value},`),
      `${indent}]`,
    ].join('\n'),
  )
}

export function pythonText(text: string): string {
  return JSON.stringify(text)
}

/** Collects the classes of named schemas and of the objects inside them. */
export function createPythonTypes(renames: Readonly<Record<string, string>> = {}) {
  const classes = new Map<string, string>()
  const aliases = new Map<string, string>()

  /** The type expression of a schema. An object inside it becomes a class with this name. */
  function typeOf(schema: Schema, name: string): string {
    const members = membersOf(schema, name)
    const literals = members.filter((member) => member.startsWith('Literal['))
    const merged =
      literals.length === 0
        ? []
        : [`Literal[${literals.map((member) => member.slice(8, -1)).join(', ')}]`]
    const others = new Set(
      members.filter((member) => member !== 'None' && !literals.includes(member)),
    )
    const all = [...merged, ...others]
    const union = all.length === 1 ? all.join('') : `Union[${all.join(', ')}]`
    if (all.length === 0) return 'None'
    return members.includes('None') ? `Optional[${union}]` : union
  }

  function membersOf(schema: Schema, name: string): string[] {
    if (Object.keys(schema).every((keyword) => keyword === 'description')) return ['Any']
    if (schema.$ref !== undefined) {
      const target = schema.$ref.slice(schema.$ref.lastIndexOf('/') + 1)
      return [renames[target] ?? target]
    }
    if (schema.anyOf !== undefined) {
      const objects = schema.anyOf.filter((one) => one.properties !== undefined)
      return schema.anyOf.flatMap((one) => {
        const number = objects.length > 1 ? String(objects.indexOf(one) + 1) : ''
        return membersOf(one, `${name}${number}`)
      })
    }
    if ('const' in schema) return [literal(schema.const)]
    if (schema.enum !== undefined) return schema.enum.map(literal)
    return [schema.type ?? 'nothing'].flat().map((type) => memberOf(type, schema, name))
  }

  function memberOf(type: string, schema: Schema, name: string): string {
    if (schema.format === 'binary') return 'bytes'
    const simple = SIMPLE[type]
    if (simple !== undefined) return simple
    if (type === 'array' && schema.items !== undefined) {
      return `list[${typeOf(schema.items, `${name}Item`)}]`
    }
    if (type === 'object' && schema.properties !== undefined) {
      declareClass(name, schema)
      return name
    }
    if (type === 'object' && typeof schema.additionalProperties === 'object') {
      return `dict[str, ${typeOf(schema.additionalProperties, `${name}Value`)}]`
    }
    throw new Error(`no Python for ${JSON.stringify(schema)}`)
  }

  /** Fields that may be absent get their own class, because Python 3.9 can mark them only by class. */
  function declareClass(name: string, schema: Schema): void {
    if (classes.has(name)) throw new Error(`several Python classes have the name ${name}`)
    const required = new Set(schema.required)
    const fields = Object.entries(schema.properties ?? {})
    const always = fields.filter(([field]) => required.has(field))
    const sometimes = fields.filter(([field]) => !required.has(field))
    // Reserves the name, so that the classes of inner objects come after it.
    classes.set(name, '')
    const toRows = (part: typeof fields): ClassField[] =>
      part.map(([field, schema]) => ({
        field,
        comment: pythonComment(describe(schema), INDENT),
        type: typeOf(schema, `${name}${toClassName(field)}`),
      }))
    const hasBoth = always.length > 0 && sometimes.length > 0
    const base = `_${name}Required`
    const parts = [
      ...(hasBoth ? [renderClass(base, 'TypedDict', toRows(always))] : []),
      hasBoth
        ? renderClass(name, `${base}, total=False`, toRows(sometimes))
        : sometimes.length > 0
          ? renderClass(name, 'TypedDict, total=False', toRows(sometimes))
          : renderClass(name, 'TypedDict', toRows(always)),
    ]
    classes.set(name, parts.join('\n\n\n'))
  }

  return {
    typeOf,
    declare(name: string, schema: Schema): void {
      if (schema.properties !== undefined) declareClass(name, schema)
      else aliases.set(name, typeOf(schema, `${name}Value`))
    },
    /** All classes, followed by the other names, which need the classes. */
    render: (): string =>
      [...classes.values(), ...[...aliases].map(([name, type]) => `${name} = ${type}`)].join(
        '\n\n\n',
      ),
  }
}

type ClassField = { field: string; comment: string[]; type: string }

function renderClass(name: string, bases: string, fields: readonly ClassField[]): string {
  const isName = (field: string) => /^[A-Za-z_]\w*$/.test(field) && !KEYWORDS.has(field)
  if (!fields.every(({ field }) => isName(field))) return renderKeyedClass(name, bases, fields)
  const lines = fields.flatMap(({ field, comment, type }) => [
    ...comment,
    wrapLiteral(`${INDENT}${field}: ${type}`, INDENT),
  ])
  const body = lines.length === 0 ? [`${INDENT}pass`] : lines
  return [`class ${name}(${bases}):`, ...body].join('\n')
}

/** A keyword such as `from` cannot be a class field. The types are texts, which need no order. */
function renderKeyedClass(name: string, bases: string, fields: readonly ClassField[]): string {
  const [parent = '', total] = bases.split(', ')
  const isDerived = parent !== 'TypedDict'
  const keyed = isDerived ? `_${name}Optional` : name
  const text = [
    `${keyed} = TypedDict(`,
    `${INDENT}${pythonText(keyed)},`,
    `${INDENT}{`,
    ...fields.flatMap(({ field, comment, type }) => [
      ...comment.map((line) => `${INDENT}${line}`),
      `${INDENT}${INDENT}${pythonText(field)}: ${pythonText(type.replaceAll('"', "'"))},`,
    ]),
    `${INDENT}},`,
    ...(total === undefined ? [] : [`${INDENT}${total},`]),
    ')',
  ].join('\n')
  return isDerived ? `${text}\n\n\nclass ${name}(${parent}, ${keyed}):\n${INDENT}pass` : text
}

function describe(schema: Schema): string {
  const facts = [
    ...(schema.description === undefined ? [] : [schema.description]),
    ...(schema.default === undefined ? [] : [`default ${JSON.stringify(schema.default)}`]),
  ]
  return facts.join('; ')
}

function literal(value: unknown): string {
  if (value === null) return 'None'
  if (typeof value === 'boolean') return `Literal[${value ? 'True' : 'False'}]`
  return `Literal[${JSON.stringify(value)}]`
}
