import { join } from 'node:path'
import { z } from 'zod'
import { OperatorError } from '../errors.ts'
import { readYamlFile } from '../lib/files/yaml-file.ts'

const dollars = z.number().min(0).max(1e6)
const price = z.strictObject({
  input: dollars,
  cached: dollars.optional(),
  output: dollars,
  /** When somebody last knew it to be so; for people. */
  asOf: z
    .string()
    .regex(/^\d{4}-\d\d(?:-\d\d)?$/, 'Must be a date such as 2026-11-15')
    .optional(),
})
const prices = z.record(z.string(), price)

export type Prices = Readonly<Record<string, z.output<typeof price>>>

type Tokens = { inputTokens: number; cachedInputTokens: number; outputTokens: number }

const BUNDLED_PRICES_FILE = join(import.meta.dirname, 'prices.yaml')
const TOKENS_PER_PRICE = 1e6

/** Those that come with the service, under those of the operator's own file. */
export function readPrices(file: string | undefined): Prices {
  return { ...readPricesFile(BUNDLED_PRICES_FILE), ...(file !== undefined && readPricesFile(file)) }
}

/** In US dollars; null where the price is not known. A dated name costs what its family does. */
export function calculateCost(known: Prices, model: string, tokens: Tokens): number | null {
  const row = known[model] ?? known[model.replace(/-(?:\d{8}|\d{4}-\d\d-\d\d|latest)$/, '')]
  if (row === undefined) return null
  const cached = Math.min(tokens.cachedInputTokens, tokens.inputTokens)
  const dollarsUsed =
    (tokens.inputTokens - cached) * row.input +
    cached * (row.cached ?? row.input) +
    tokens.outputTokens * row.output
  return dollarsUsed / TOKENS_PER_PRICE
}

function readPricesFile(path: string): Prices {
  const read = readYamlFile(path, prices)
  if (typeof read !== 'string') return read
  throw new OperatorError(`The prices in ${path} cannot be read: ${read}`, 'See docs/tasks.md')
}
