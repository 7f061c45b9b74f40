// Loaded before the program. Enables a clone's compile cache, and stops the program when the launcher ends.
import { existsSync } from 'node:fs'
import * as nodeModule from 'node:module'
import { dirname, join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = resolve(dirname(fileURLToPath(import.meta.url)), '../..')
// The npm package must not write into its folder.
if (existsSync(join(root, 'package-lock.json')))
  // npm is started with this script too. It may run on Node 20, which has no compile cache.
  nodeModule.enableCompileCache?.(join(root, 'node_modules/.cache/compile'))

const fd = process.env.LIFELINE_FD
delete process.env.LIFELINE_FD
if (fd !== undefined) {
  const { Socket } = await import('node:net')
  const pipe = new Socket({ fd: Number(fd), readable: true, writable: false })
  pipe.on('close', () => process.kill(process.pid, 'SIGTERM'))
  pipe.resume()
  pipe.unref()
}
