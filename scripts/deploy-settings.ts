import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import { SETTINGS, type SettingDefinition } from '../src/config/settings.ts'

const SCHEMA_FILE = join(import.meta.dirname, '../deploy/helm/hansard/values.schema.json')

const settings: SettingDefinition[] = Object.values(SETTINGS)

type SettingMap = { properties: Record<string, object> }
type ValuesSchema = { properties: { settings: SettingMap; secrets: SettingMap } }

/** What the maps `settings` and `secrets` in the chart's values may contain: the settings of the table. */
export function buildSettingMaps(): { settings: object; secrets: object } {
  const toMap = (rows: SettingDefinition[], toSchema: (row: SettingDefinition) => object) =>
    Object.fromEntries(rows.map((row) => [row.env, { description: row.about, ...toSchema(row) }]))
  return {
    settings: toMap(
      settings.filter(({ isSecret }) => !isSecret),
      describeText,
    ),
    secrets: toMap(
      settings.filter(({ isSecret }) => isSecret),
      () => ({ $ref: '#/definitions/secretKey' }),
    ),
  }
}

/** Values are texts, because Helm rewrites large numbers and the words on and off. */
function describeText(row: SettingDefinition): object {
  const input = z.toJSONSchema(row.schema, { io: 'input', unrepresentable: 'any' })
  return {
    type: 'string',
    ...(input.enum !== undefined && { enum: input.enum }),
    ...(input.pattern !== undefined && { pattern: input.pattern }),
    ...(row.default !== undefined && { default: row.default }),
  }
}

export function readValuesSchema(): ValuesSchema {
  return JSON.parse(readFileSync(SCHEMA_FILE, 'utf8')) as ValuesSchema
}

function writeValuesSchema(): void {
  const schema = readValuesSchema()
  const maps = buildSettingMaps()
  Object.assign(schema.properties.settings, { properties: maps.settings })
  Object.assign(schema.properties.secrets, { properties: maps.secrets })
  writeFileSync(SCHEMA_FILE, `${JSON.stringify(schema, null, 2)}\n`)
}

if (process.argv.includes('--write')) writeValuesSchema()
