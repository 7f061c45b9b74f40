import { join } from 'node:path'
import { z } from 'zod'
import { OperatorError } from '../lib/operator-error.ts'
import { readYamlFileOrProblem } from '../lib/files/yaml-file.ts'

const dollars = z.number().min(0).max(1e6)
const priceSchema = z.strictObject({
  input: dollars,
  cached: dollars.optional(),
  output: dollars,
  /** The date when the price was last checked. Shown to people, but not used in calculations. */
  asOf: z
    .string()
    .regex(/^\d{4}-\d\d(?:-\d\d)?$/, 'Must be a date such as 2026-11-15')
    .optional(),
})
const pricesSchema = z.record(z.string(), priceSchema)

export type Prices = Readonly<Record<string, z.output<typeof priceSchema>>>

type Tokens = { inputTokens: number; cachedInputTokens: number; outputTokens: number }

const BUNDLED_PRICES_FILE = join(import.meta.dirname, 'prices.yaml')
const TOKENS_PER_PRICE = 1e6

/** The bundled prices. Prices in the operator's file override them. */
export function readPrices(overridesFile: string | undefined): Prices {
  return {
    ...readPricesFile(BUNDLED_PRICES_FILE),
    ...(overridesFile !== undefined && readPricesFile(overridesFile)),
  }
}

/** The cost in US dollars; null if the price is unknown. A dated model name has the price of the undated name. */
export function calculateCostUsd(prices: Prices, model: string, tokens: Tokens): number | null {
  const row = prices[model] ?? prices[model.replace(/-(?:\d{8}|\d{4}-\d\d-\d\d|latest)$/, '')]
  if (row === undefined) return null
  const cached = Math.min(tokens.cachedInputTokens, tokens.inputTokens)
  const dollarsUsed =
    (tokens.inputTokens - cached) * row.input +
    cached * (row.cached ?? row.input) +
    tokens.outputTokens * row.output
  return dollarsUsed / TOKENS_PER_PRICE
}

function readPricesFile(path: string): Prices {
  const pricesOrProblem = readYamlFileOrProblem(path, pricesSchema)
  if (typeof pricesOrProblem !== 'string') return pricesOrProblem
  throw new OperatorError(
    `The prices in ${path} cannot be read: ${pricesOrProblem}`,
    'Check HANSARD_AI_PRICES_FILE; see docs/tasks.md#cost',
  )
}
