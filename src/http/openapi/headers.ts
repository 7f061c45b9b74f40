import { MAX_IDEMPOTENCY_KEY_LENGTH } from '../pipeline/idempotency.ts'

/** Headers that a route reads besides the API key. */
export const REQUEST_HEADERS = {
  'Idempotency-Key': {
    description: 'A repeated request with the same key gets the same response for 24 hours',
    schema: {
      type: 'string',
      minLength: 1,
      maxLength: MAX_IDEMPOTENCY_KEY_LENGTH,
      examples: ['2f9d2c1e-3a55-4b0e-9a3e-0c7f2f1f6a10'],
    },
  },
  'If-Match': {
    description: 'Only if the document has one of these ETags; `*`: only if it exists',
    schema: { type: 'string', examples: ['"l3v0Zb1y9nB4Q2wKxT5c7A"'] },
  },
  'If-None-Match': {
    description: 'Only if the document has none of these ETags; `*`: only if it does not exist',
    schema: { type: 'string', examples: ['*'] },
  },
  'Last-Event-ID': {
    description: 'The id of the last received message, to resume the stream after it',
    schema: { type: 'string', examples: ['12'] },
  },
} as const
export type RequestHeaderName = keyof typeof REQUEST_HEADERS

/** Headers of responses. A header without `required` depends on the request or on a setting. */
export const RESPONSE_HEADERS = {
  'X-Request-Id': {
    description: 'Names this request in the log of the service',
    required: true,
    schema: {
      type: 'string',
      pattern: '^req_',
      examples: ['req_5b0c6a1f6c8e4f0c9d2f1a7e3b4c5d6e'],
    },
  },
  RateLimit: {
    description: 'The remaining requests of this API key (r) and the seconds until they reset (t)',
    schema: { type: 'string', examples: ['"requests";r=5999;t=42'] },
  },
  'RateLimit-Policy': {
    description: 'The requests (q) that an API key may send in a number of seconds (w)',
    schema: { type: 'string', examples: ['"requests";q=6000;w=60'] },
  },
  'Retry-After': {
    description: 'The number of seconds after which the request can be repeated',
    schema: { type: 'integer', minimum: 0, format: 'int64', examples: [5] },
  },
  Allow: {
    description: 'The methods that this path supports',
    required: true,
    schema: { type: 'string', examples: ['GET, HEAD'] },
  },
  'WWW-Authenticate': {
    description: 'How to authenticate',
    schema: { type: 'string', examples: ['Bearer realm="api"'] },
  },
  'Idempotent-Replayed': {
    description: 'Present when this is the saved response to an earlier request with the same key',
    schema: { type: 'string', enum: ['true'], examples: ['true'] },
  },
  Deprecation: {
    description: 'Since when this call is deprecated (RFC 9745), in seconds since 1970 after an @',
    schema: { type: 'string', pattern: '^@[0-9]+$', examples: ['@1794700800'] },
  },
  Sunset: {
    description: 'When this call will be removed (RFC 8594)',
    schema: { type: 'string', examples: ['Sat, 15 May 2027 00:00:00 GMT'] },
  },
  ETag: {
    description: 'Identifies this version of the document; absent when the file is very large',
    schema: { type: 'string', examples: ['"l3v0Zb1y9nB4Q2wKxT5c7A"'] },
  },
  'Last-Modified': {
    description: 'When the document was last changed',
    schema: { type: 'string', examples: ['Sun, 15 Nov 2026 08:30:00 GMT'] },
  },
  'Content-Disposition': {
    description: 'The file name for a download',
    schema: {
      type: 'string',
      examples: [
        `attachment; filename="2026-11-15 0830 - Planning.md"; filename*=UTF-8''2026-11-15%200830%20-%20Planning.md`,
      ],
    },
  },
} as const
export type ResponseHeaderName = keyof typeof RESPONSE_HEADERS

/** References to the components of response headers, for a response. */
export function referToHeaders(names: readonly ResponseHeaderName[]): object {
  return Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]))
}
