import { strict as assert } from 'node:assert'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test, type TestContext } from 'node:test'
import { OperatorError } from '../lib/operator-error.ts'
import { calculateCostUsd, readPrices } from './prices.ts'

const USED = { inputTokens: 1_000_000, cachedInputTokens: 500_000, outputTokens: 100_000 }

function writePricesFile(t: TestContext, text: string): string {
  const folder = mkdtempSync(join(tmpdir(), 'hansard-prices-'))
  t.after(() => rmSync(folder, { recursive: true }))
  const file = join(folder, 'prices.yaml')
  writeFileSync(file, text)
  return file
}

test('every bundled price has the date on which it was checked', () => {
  const prices = Object.values(readPrices(undefined))
  assert.ok(prices.length > 0)
  for (const { asOf } of prices) assert.match(asOf ?? '', /^20\d\d-\d\d/)
})

test("the operator's prices override the bundled ones", (t) => {
  const file = writePricesFile(
    t,
    'openai/gpt-5: { input: 2, cached: 1, output: 4, asOf: 2026-11-15 }',
  )
  const prices = readPrices(file)
  assert.equal(calculateCostUsd(prices, 'openai/gpt-5', USED), 1 + 0.5 + 0.4)
  assert.equal(calculateCostUsd(prices, 'openai/gpt-5-2026-01-01', USED), 1.9)
  assert.ok((calculateCostUsd(prices, 'openai/gpt-5-mini', USED) ?? 0) > 0)
})

test('a model without a price has the cost null, and a free model has the cost 0', (t) => {
  const prices = readPrices(writePricesFile(t, 'a/free: { input: 0, output: 0 }'))
  assert.equal(calculateCostUsd(prices, 'a/unknown', USED), null)
  assert.equal(calculateCostUsd(prices, 'a/free', USED), 0)
})

test('invalid prices are refused with the file, the reason and the setting', (t) => {
  for (const text of [
    'a/b: { input: -1, output: 1 }',
    'a/b: { input: 1 }',
    'a/b: { input: 1, output: 1, per: day }',
    'a/b: { input: 1, output: 1, asOf: yesterday }',
    'a/b: [',
    'a/b: &x { input: 1, output: 1 }\na/c: *x',
  ]) {
    assert.throws(
      () => readPrices(writePricesFile(t, text)),
      (error) =>
        error instanceof OperatorError &&
        error.message.includes('prices.yaml') &&
        error.fix?.includes('HANSARD_AI_PRICES_FILE') === true,
      text,
    )
  }
})
