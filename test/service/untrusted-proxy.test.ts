import { strict as assert } from 'node:assert'
import { test } from 'node:test'
import { fastify } from 'fastify'
import { pino } from 'pino'
import { listenOnConfiguredPort } from '../../src/app/service.ts'
import { parseConfig } from '../../src/config/config.ts'
import { STANDARD_CHECKS, runCheck } from '../../src/operations/doctor/checks.ts'

const CASES = [
  { publicUrl: 'https://hansard.example', trustProxy: '', isBad: true },
  { publicUrl: 'https://hansard.example', trustProxy: '127.0.0.1', isBad: false },
  { publicUrl: 'http://hansard.example', trustProxy: '', isBad: false },
  { publicUrl: '', trustProxy: '', isBad: false },
]

for (const { publicUrl, trustProxy, isBad } of CASES) {
  const settings = `${publicUrl || 'no public URL'} and ${trustProxy || 'no trusted proxy'}`
  test(`with ${settings}, start and doctor ${isBad ? 'warn' : 'do not warn'} that all clients share one IP address`, async () => {
    const env = { HANSARD_PUBLIC_URL: publicUrl, HANSARD_TRUST_PROXY: trustProxy }
    const config = parseConfig({ env: { ...env, HANSARD_PORT: '0' }, root: '/' })
    const lines: string[] = []
    const log = pino({ level: 'warn' }, { write: (line: string) => void lines.push(line) })
    const app = fastify({ loggerInstance: log })
    await listenOnConfiguredPort(app, config)
    await app.close()
    const warnings = lines.filter((line) => line.includes('all clients share one IP address'))
    assert.equal(warnings.length, isBad ? 1 : 0)

    const check = STANDARD_CHECKS.find(({ name }) => name === 'callers')
    assert.ok(check)
    const result = await runCheck(check, { config, runningService: null })
    assert.equal(result.ok, !isBad)
    if (isBad) assert.match(result.fix ?? '', /HANSARD_TRUST_PROXY/)
  })
}
