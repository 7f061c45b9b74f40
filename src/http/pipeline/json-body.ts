import type { FastifyApp } from '../fastify-app.ts'
import { ServiceError } from '../../errors.ts'
import { errorMessageOf } from '../../lib/error-code.ts'

const MAX_DEPTH = 64

/** Accepts only JSON bodies. An empty body counts as no body; a body nested too deeply is rejected before parsing. */
export function acceptJsonBodies(app: FastifyApp): void {
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('application/json', { parseAs: 'string' }, (_request, body, done) => {
    try {
      done(null, parseJsonBody(body as string))
    } catch (error) {
      done(error as Error)
    }
  })
}

export function parseJsonBody(text: string): unknown {
  if (text === '') return undefined
  if (nestingDepth(text) > MAX_DEPTH) {
    throw new ServiceError('invalid_json', {
      text: `The request body has more than ${MAX_DEPTH} levels of nesting`,
    })
  }
  try {
    return JSON.parse(text)
  } catch (error) {
    throw new ServiceError('invalid_json', {
      cause: error,
      hint: errorMessageOf(error).slice(0, 200),
    })
  }
}

function nestingDepth(text: string): number {
  let depth = 0
  let deepest = 0
  let isInString = false
  for (let i = 0; i < text.length; i += 1) {
    const char = text.charCodeAt(i)
    if (isInString) {
      if (char === 0x5c) i += 1
      else if (char === 0x22) isInString = false
    } else if (char === 0x22) isInString = true
    else if (char === 0x7b || char === 0x5b) deepest = Math.max(deepest, (depth += 1))
    else if (char === 0x7d || char === 0x5d) depth -= 1
  }
  return deepest
}
