import { join } from 'node:path'
import type { Command } from 'commander'
import { type Config, toPromptModelSettings } from '../../config/config.ts'
import { loadConfig } from '../../config/load-config.ts'
import { OperatorError } from '../../lib/operator-error.ts'
import { createLog } from '../../log.ts'
import type { PromptFiles } from '../../tasks/prompts/store/prompt-storage.ts'
import { printJson, printLine } from '../output.ts'
import { withStorage } from '../with-storage.ts'

export function registerPromptCheckCommand(program: Command): void {
  const prompt = program.command('prompt').description('check the prompts of tasks')
  prompt
    .command('check')
    .description('find problems that prevent prompts from running: header, template, tools, model')
    .argument('[names...]', 'only these prompts')
    .option('--json', 'print JSON')
    .action(check)
}

async function check(names: string[], { json }: { json?: true }): Promise<void> {
  const config = loadConfig()
  if (config.documents === 'folder') {
    const [{ createFolderPrompts }, { PROMPTS_FOLDER }] = await Promise.all([
      import('../../tasks/prompts/store/folder-prompts.ts'),
      import('../../tasks/prompts/store/prompt-storage.ts'),
    ])
    return checkFiles(config, createFolderPrompts(join(config.data, PROMPTS_FOLDER)), names, json)
  }
  const { createDatabasePrompts } = await import('../../tasks/prompts/store/database-prompts.ts')
  await withStorage(({ database }) =>
    checkFiles(config, createDatabasePrompts(database.db), names, json),
  )
}

async function checkFiles(
  config: Config,
  files: PromptFiles,
  names: string[],
  json: true | undefined,
): Promise<void> {
  const [{ listCheckedPrompts }, { createTemplateRenderer }, { readToolServers }] =
    await Promise.all([
      import('../../tasks/prompts/check-prompts.ts'),
      import('../../tasks/prompts/template/template-renderer.ts'),
      import('../../tasks/tool-servers/tool-server-settings.ts'),
    ])
  const folder = files.description
  const servers = readToolServers(config.aiMcpFile)
  await using renderer = createTemplateRenderer({ log: createLog('error'), maxThreads: 1 })
  const all = await listCheckedPrompts(files, servers, toPromptModelSettings(config), renderer)
  const unknown = names.filter((name) => all.every((prompt) => prompt.name !== name))
  if (unknown.length > 0) {
    throw new OperatorError(`There is no prompt ${unknown.join(', ')}`, `Prompts are in ${folder}`)
  }
  const selected = all.filter(({ name }) => names.length === 0 || names.includes(name))
  if (json) printJson(selected.map(({ name, problems }) => ({ name, problems })))
  else if (selected.length === 0) printLine(`There are no prompts in ${folder}`)
  else {
    for (const { name, problems } of selected) {
      printLine(`${problems.length === 0 ? 'ok  ' : 'FAIL'}  ${name}`)
      for (const { path, message } of problems) {
        printLine(`      ${path === '' ? message : `${path}: ${message}`}`)
      }
    }
  }
  if (selected.some(({ problems }) => problems.length > 0)) process.exitCode = 1
}
