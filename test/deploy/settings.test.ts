import { strict as assert } from 'node:assert'
import { test } from 'node:test'
import { buildSettingMaps, readValuesSchema } from '../../scripts/deploy-settings.ts'
import { BOT_SETTINGS, SPEECH_SETTINGS } from '../../src/config/bot-settings.ts'
import { parseConfig } from '../../src/config/config.ts'
import { SETTINGS, type SettingDefinition } from '../../src/config/settings.ts'
import {
  readChartInfo,
  readChartValues,
  readCompose,
  readDockerfile,
  readTemplates,
  readText,
  type ComposeService,
} from './deploy-files.ts'

const settings: SettingDefinition[] = Object.values(SETTINGS)
const settingByName = new Map(settings.map((row) => [row.env, row]))
const secretNames = settings.filter(({ isSecret }) => isSecret).map(({ env }) => env)
const one = readCompose('compose.yaml')
const nodes = readCompose('compose.nodes.yaml')
const roles = readCompose('compose.roles.yaml')
const values = readChartValues()
const image = readDockerfile()

/** Compose fills in variables such as ${SITE:?…}. */
const fillIn = (text: string) => text.replaceAll(/\$\{SITE[^}]*\}/g, 'hansard.example.com')

const environmentOf = ({ environment = {} }: ComposeService) =>
  Object.fromEntries(Object.entries(environment).map(([name, value]) => [name, fillIn(value)]))

const imageSettings = Object.fromEntries(
  Object.entries(image.environment).filter(([name]) => name.startsWith('HANSARD_')),
)

/** Each place that passes settings to the service, with its values. */
const GIVEN: Record<string, Record<string, string>> = {
  'the Dockerfile': imageSettings,
  'compose.yaml': environmentOf(one.services.hansard),
  'compose.nodes.yaml': environmentOf(nodes.services.hansard),
  ...Object.fromEntries(
    Object.entries(roles.services).map(([name, service]) => [
      `${name} in compose.roles.yaml`,
      environmentOf(service),
    ]),
  ),
  'values.yaml': values.settings,
}

for (const [place, given] of Object.entries(GIVEN)) {
  test(`every setting in ${place} exists, is not secret and has a valid value`, () => {
    assert.notDeepEqual(given, {})
    for (const [name, value] of Object.entries(given)) {
      const setting = settingByName.get(name)
      assert.ok(setting, `${name} is not a setting`)
      assert.notEqual(setting.isSecret, true, `${name} is secret: give a file or a reference`)
      assert.equal(typeof value, 'string', `${name} must be a text`)
      assert.deepEqual(setting.schema.safeParse(value).error, undefined, name)
    }
  })
}

test('the settings of compose and chart are valid together with those of the image', () => {
  const composed = { ...GIVEN['compose.yaml'], ...GIVEN['compose.nodes.yaml'] }
  for (const given of [GIVEN['compose.yaml'], composed, values.settings])
    parseConfig({ env: { ...imageSettings, ...given }, root: '/' })
})

test('compose and chart send callbacks only to public addresses', () => {
  for (const given of [GIVEN['compose.yaml'], values.settings])
    assert.equal(given?.['HANSARD_CALLBACK_POLICY'], 'public-only')
})

test('secrets are given by file in compose and by reference in the chart', () => {
  for (const name of one.services.hansard.secrets ?? []) {
    assert.ok(secretNames.includes(name), `${name} is not a secret setting`)
    assert.deepEqual(one.secrets?.[name], { file: `./secrets/${name}` })
  }
  for (const name of Object.keys(values.secrets)) assert.ok(secretNames.includes(name), name)
  for (const required of ['DATABASE_URL', 'HANSARD_MASTER_KEY']) {
    assert.ok(one.services.hansard.secrets?.includes(required))
    assert.ok(required in values.secrets)
  }
})

test('a node that only attends meetings gets only the secrets that bots need, in compose and chart', () => {
  assert.deepEqual(roles.services['bots']?.secrets, ['DATABASE_URL'])
  const [, listed = ''] = /define "hansard\.botSecrets" -}}\n(.*)\n/.exec(readTemplates()) ?? []
  const ofBots = Object.values<SettingDefinition>({ ...BOT_SETTINGS, ...SPEECH_SETTINGS })
  assert.deepEqual(
    new Set(listed.split(' ')),
    new Set(['DATABASE_URL', ...ofBots.filter(({ isSecret }) => isSecret).map(({ env }) => env)]),
  )
})

test('the image reads every secret setting from a file of its name', () => {
  const [, names = ''] =
    /^\s+(DATABASE_URL \| .*)\) ;;$/m.exec(readText('deploy/image/hansard')) ?? []
  const patterns = names.split(' | ')
  const isRead = (name: string) =>
    patterns.includes(name) || (name.startsWith('HANSARD_') && patterns.includes('HANSARD_*'))
  assert.deepEqual(
    secretNames.filter((name) => !isRead(name)),
    [],
  )
})

test('compose can give every setting, by a file that may be absent', () => {
  assert.deepEqual(one.services.hansard.env_file, [{ path: 'hansard.env', required: false }])
})

test('the chart accepts exactly the settings of the table', () => {
  const { settings: map, secrets } = readValuesSchema().properties
  const hint = 'node bin/with-node.mjs scripts/deploy-settings.ts --write'
  assert.deepEqual(
    { settings: map.properties, secrets: secrets.properties },
    buildSettingMaps(),
    hint,
  )
})

test('templates name no setting that does not exist', () => {
  const names = readTemplates().match(/\bHANSARD_[A-Z_]+\b/g) ?? []
  assert.deepEqual(
    names.filter((name) => !settingByName.has(name)),
    [],
  )
})

test('the versions of image, compose and chart are that of the package', () => {
  const { version } = JSON.parse(readText('package.json')) as { version: string }
  const { version: chart, appVersion } = readChartInfo()
  const tag = one.services.hansard.image?.split(':')[1]
  assert.deepEqual([image.version, tag, chart, appVersion], [version, version, version, version])
})
