import { existsSync } from 'node:fs'
import type { Command } from 'commander'
import type { Config } from '../../config/config.ts'
import { loadConfig, SETTINGS_FILE } from '../../config/load-config.ts'
import { SETTINGS, type SettingName } from '../../config/settings.ts'
import { escapeControlCharacters } from '../../lib/text/plain-text.ts'
import { printJson, printLine, printTable } from '../output.ts'

const HIDDEN = '(hidden)'

export function registerConfigCommand(program: Command): void {
  program
    .command('config')
    .description('print the current settings and where each comes from; secrets are hidden')
    .option('--json', 'print JSON')
    .action(({ json }: { json?: true }) => {
      const rows = describeConfig(loadConfig())
      if (json) return printJson(rows)
      printTable(
        ['SETTING', 'VALUE', 'FROM'],
        rows.map(({ name, value, from }) => [name, formatValue(value), from]),
      )
      const note = existsSync(SETTINGS_FILE) ? '' : ' (does not exist)'
      printLine(`\n“file” is ${escapeControlCharacters(SETTINGS_FILE)}${note}`)
    })
}

export type ConfigRow = { name: string; value: unknown; from: string }

export function describeConfig(config: Config): ConfigRow[] {
  return (Object.keys(SETTINGS) as SettingName[]).map((key) => {
    const setting: { env: string; isSecret?: true } = SETTINGS[key]
    const value = config[key] ?? null
    return {
      name: setting.env,
      value: setting.isSecret && value !== null ? HIDDEN : value,
      from: config.sources[key],
    }
  })
}

function formatValue(value: unknown): string {
  if (value === null) return ''
  return typeof value === 'string' ? value : JSON.stringify(value)
}
