import { readFileSync } from 'node:fs'
import { parseDocument } from 'yaml'
import { z } from 'zod'
import { errorCode, errorMessageOf } from '../error-code.ts'
import { describeValidationIssue } from '../text/validation.ts'

/** Reads and validates a YAML file. Returns its value, or a description of the problem without text of the file. */
export function readYamlFileOrProblem<T>(path: string, schema: z.ZodType<T>): T | string {
  let text: string
  try {
    text = readFileSync(path, 'utf8')
  } catch (error) {
    if (errorCode(error) === '') throw error
    return errorMessageOf(error)
  }
  const document = parseDocument(text)
  const [broken] = document.errors
  if (broken !== undefined) return `line ${broken.linePos?.[0].line ?? 1} is not valid YAML`
  const value = toPlainValue(document)
  if (value === null) return 'it contains aliases (*name), which are not supported'
  const parsed = schema.safeParse(value.plain ?? {}, { error: describeValidationIssue })
  return parsed.success ? parsed.data : z.prettifyError(parsed.error)
}

/** Null if the document has aliases. They are refused, because a few nested aliases can expand to gigabytes. */
function toPlainValue(document: ReturnType<typeof parseDocument>): { plain: unknown } | null {
  try {
    return { plain: document.toJS({ maxAliasCount: 0 }) }
  } catch (error) {
    if (error instanceof ReferenceError) return null
    throw error
  }
}
