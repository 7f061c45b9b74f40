import { OperatorError } from '../../errors.ts'

const VOCABULARY = /llama_vocab_base64 = "([A-Za-z0-9+/=]+)"/
const BYTE_TOKEN = /^<0x([0-9A-F]{2})>$/
const TOKEN_COUNT = 32_000
/** The weights have places for more tokens, which are never used. */
const TABLE_SIZE = 32_768
/** Stands for a space in the vocabulary. */
const SPACE_MARK = '▁'

/**
 * Makes the table of tokens that the runtime reads, with the bytes of each token in base64, from the source text of the
 * tokenizer package. The code of the package is not run.
 */
export function createTokenTable(tokenizerSource: string): string {
  const encoded = VOCABULARY.exec(tokenizerSource)?.[1] ?? ''
  const tokens = Buffer.from(encoded, 'base64').toString('utf8').split('\n')
  if (tokens.length !== TOKEN_COUNT)
    throw new OperatorError(`the vocabulary has ${tokens.length} tokens instead of ${TOKEN_COUNT}`)
  const lines = tokens.map((token, id) => `${toBytes(token).toString('base64')} ${id}`)
  for (let id = TOKEN_COUNT; id < TABLE_SIZE; id += 1)
    lines.push(`${Buffer.from(`<unused${id}>`).toString('base64')} ${id}`)
  return `${lines.join('\n')}\n`
}

function toBytes(token: string): Buffer {
  const byte = BYTE_TOKEN.exec(token)?.[1]
  return byte === undefined
    ? Buffer.from(token.replaceAll(SPACE_MARK, ' '))
    : Buffer.from([Number.parseInt(byte, 16)])
}
