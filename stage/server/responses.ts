import { readFile } from 'node:fs/promises'
import type { ServerResponse } from 'node:http'
import { extname, join, normalize } from 'node:path'
import { errorCode } from '../../src/lib/error-code.ts'
import { joinModules } from './join-modules.ts'

const PAGES = join(import.meta.dirname, '../pages')

const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.json': 'application/json',
  '.svg': 'image/svg+xml',
}

/** Sends a file of `pages/`, a script together with the modules that it imports. */
export async function sendFile(response: ServerResponse, path: string): Promise<void> {
  const file = join(PAGES, normalize(`/${path}`))
  try {
    const body = extname(file) === '.js' ? joinModules(file) : await readFile(file)
    response.writeHead(200, {
      'content-type': TYPES[extname(file)] ?? 'application/octet-stream',
      'cache-control': 'no-store',
    })
    response.end(body)
  } catch (error) {
    if (!['ENOENT', 'EISDIR'].includes(errorCode(error))) throw error
    sendText(response, 404, 'no such file on the stage')
  }
}

export function sendText(response: ServerResponse, status: number, text: string): void {
  response.writeHead(status, { 'content-type': 'text/plain; charset=utf-8' })
  response.end(text)
}

export function redirect(response: ServerResponse, to: string): void {
  response.writeHead(302, { location: to })
  response.end()
}

/** Opens an event stream to a page and returns a function that sends one event. */
export function openFeed(response: ServerResponse): (event: unknown) => void {
  response.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-store' })
  return (event) => {
    // The page may have closed the connection.
    if (response.writable) response.write(`data: ${JSON.stringify(event)}\n\n`)
  }
}
