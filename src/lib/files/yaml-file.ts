import { readFileSync } from 'node:fs'
import { parseDocument } from 'yaml'
import { z } from 'zod'
import { errorCode, messageOf } from '../error-code.ts'

/** What a person wrote into a YAML file, checked; or a sentence that says what is wrong and shows no value of it. */
export function readYamlFile<T>(path: string, schema: z.ZodType<T>): T | string {
  let text: string
  try {
    text = readFileSync(path, 'utf8')
  } catch (error) {
    if (errorCode(error) === '') throw error
    return messageOf(error)
  }
  const document = parseDocument(text)
  const [broken] = document.errors
  if (broken !== undefined) return `line ${broken.linePos?.[0].line ?? 1} is not YAML`
  const value = toPlainValue(document)
  if (value === null) return 'it has aliases (*name), which are not taken'
  const parsed = schema.safeParse(value.plain ?? {})
  return parsed.success ? parsed.data : z.prettifyError(parsed.error)
}

/** Null: nobody needs aliases in such a file, and a few of them can stand for gigabytes. */
function toPlainValue(document: ReturnType<typeof parseDocument>): { plain: unknown } | null {
  try {
    return { plain: document.toJS({ maxAliasCount: 0 }) }
  } catch (error) {
    if (error instanceof ReferenceError) return null
    throw error
  }
}
