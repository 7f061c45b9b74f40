import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

const IMPORT = /^import (\{[^}]*\}) from '([^']+)'$/gm
const EXPORT = /^export ((?:async )?(?:function|const) (\w+))/gm

/**
 * The text of a script with all modules that it imports in front of it, so that a page sends one request instead of
 * thirty. Each module becomes a function that returns its exports. Modules must not import each other in a circle.
 */
export function joinModules(entry: string): string {
  const modules = new Map<string, string>()
  const definitions: string[] = []
  const replaceImports = (file: string) =>
    readFileSync(file, 'utf8').replaceAll(IMPORT, (_, names: string, path: string) => {
      const module = define(join(dirname(file), path))
      return `const ${names.replaceAll(' as ', ': ')} = ${module}`
    })
  const define = (file: string): string => {
    const known = modules.get(file)
    if (known !== undefined) return known
    const module = `$module${modules.size}`
    modules.set(file, module)
    const exported: string[] = []
    const body = replaceImports(file).replaceAll(EXPORT, (_, text: string, name: string) => {
      exported.push(name)
      return text
    })
    definitions.push(
      `const ${module} = (() => {\n${body}\nreturn { ${exported.join(', ')} }\n})()\n`,
    )
    return module
  }
  const text = replaceImports(entry)
  return definitions.join('') + text
}
