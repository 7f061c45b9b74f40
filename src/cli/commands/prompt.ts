import type { Command } from 'commander'
import { OperatorError } from '../../errors.ts'
import { loadConfig } from '../../config/load-config.ts'
import { printJson, printLine } from '../output.ts'

export function addPromptCommand(program: Command): void {
  const prompt = program.command('prompt').description('check the prompts of tasks')
  prompt
    .command('check')
    .description('say what keeps prompts from running: header, template, tools')
    .argument('[names...]', 'only these')
    .option('--json', 'print JSON')
    .action(check)
}

async function check(names: string[], { json }: { json?: true }): Promise<void> {
  const [{ checkPrompts }, { promptsFolder }, { readToolServers }] = await Promise.all([
    import('../../tasks/prompts/check-prompts.ts'),
    import('../../tasks/prompts/prompts-folder.ts'),
    import('../../tasks/tool-servers/tool-server-settings.ts'),
  ])
  const config = loadConfig()
  const folder = promptsFolder(config.data)
  const all = await checkPrompts(folder, readToolServers(config.aiMcpFile))
  const unknown = names.filter((name) => all.every((prompt) => prompt.name !== name))
  if (unknown.length > 0) {
    throw new OperatorError(`There is no prompt ${unknown.join(', ')}`, `They lie in ${folder}`)
  }
  const wanted = all.filter(({ name }) => names.length === 0 || names.includes(name))
  if (json) printJson(wanted.map(({ name, problems }) => ({ name, problems })))
  else if (wanted.length === 0) printLine(`There are no prompts in ${folder}`)
  else {
    for (const { name, problems } of wanted) {
      printLine(`${problems.length === 0 ? 'ok  ' : 'FAIL'}  ${name}`)
      for (const { path, message } of problems) {
        printLine(`      ${path === '' ? message : `${path}: ${message}`}`)
      }
    }
  }
  if (wanted.some(({ problems }) => problems.length > 0)) process.exitCode = 1
}
