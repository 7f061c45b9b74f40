import { strict as assert } from 'node:assert'
import { test } from 'node:test'
import { pino } from 'pino'
import { createModelFinder, findConnection, findModelConfigProblem } from '../ai/providers.ts'
import { parseConfig, toModelSettings, toPromptModelSettings } from './config.ts'

const configOf = (env: Record<string, string>) => parseConfig({ env, root: '/opt/hansard' })

const GATEWAY = {
  HANSARD_AI_MODEL: 'openai-compatible/m',
  HANSARD_AI_BASE_URL: 'http://127.0.0.1:1/v1',
  HANSARD_AI_API_KEY: 'gateway-key',
}
const GATEWAY_KEY = { value: 'gateway-key', settingName: 'HANSARD_AI_API_KEY' }

test('the key and the address of a gateway belong to no other provider', async () => {
  const settings = toModelSettings(configOf({ ...GATEWAY, ANTHROPIC_API_KEY: 'own-key' }))
  assert.deepEqual(findConnection(settings, 'openai-compatible'), {
    key: GATEWAY_KEY,
    baseUrl: GATEWAY.HANSARD_AI_BASE_URL,
  })
  assert.deepEqual(findConnection(settings, 'anthropic'), {
    key: { value: 'own-key', settingName: 'ANTHROPIC_API_KEY' },
  })
  assert.deepEqual(findConnection(settings, 'openai'), {})
  const models = createModelFinder(settings, pino({ level: 'silent' }))
  await assert.rejects(models.find('openai/gpt-4o'), {
    name: 'ModelFailure',
    message: 'No API key for openai: set OPENAI_API_KEY',
  })
})

test('HANSARD_AI_API_KEY is the key of the provider of HANSARD_AI_MODEL unless that has its own', () => {
  const env = { HANSARD_AI_MODEL: 'openai/gpt-x', HANSARD_AI_API_KEY: 'gateway-key' }
  const shared = toModelSettings(configOf(env))
  assert.deepEqual(findConnection(shared, 'openai').key, GATEWAY_KEY)
  assert.equal(findConnection(shared, 'google').key, undefined)
  const own = toModelSettings(configOf({ ...env, OPENAI_API_KEY: 'own-key' }))
  assert.deepEqual(findConnection(own, 'openai').key, {
    value: 'own-key',
    settingName: 'OPENAI_API_KEY',
  })
})

test('HANSARD_AI_MODELS limits which models prompts choose, but not which the operator chooses', () => {
  const env = {
    ...GATEWAY,
    OPENAI_API_KEY: 'k',
    ANTHROPIC_API_KEY: 'k',
    GOOGLE_GENERATIVE_AI_API_KEY: 'k',
  }
  const names = ['openai-compatible/m', 'openai-compatible/n', 'openai/a', 'google/a', 'google/b']
  const usable = (settings: ReturnType<typeof toModelSettings>) =>
    names.filter((name) => findModelConfigProblem(settings, name) === null)
  assert.deepEqual(usable(toPromptModelSettings(configOf(env))), names)
  const limited = configOf({ ...env, HANSARD_AI_MODELS: 'openai/*, google/b' })
  assert.deepEqual(usable(toPromptModelSettings(limited)), [
    'openai-compatible/m',
    'openai/a',
    'google/b',
  ])
  assert.deepEqual(usable(toModelSettings(limited)), names)
  assert.equal(
    findModelConfigProblem(toPromptModelSettings(limited), 'google/a'),
    'Prompts cannot use google/a: choose a model that HANSARD_AI_MODELS lists',
  )
})
