// Runs in a worker thread for one large request body, so that the service stays responsive.
import { strict as assert } from 'node:assert'
import { parentPort, workerData } from 'node:worker_threads'
import { sha256Base64 } from '../../lib/crypto.ts'
import type { LargeBody, LargeBodyInput } from './json-body.ts'
import { parseJsonBytes } from './parse-json.ts'

assert.ok(parentPort, 'this file must run in a worker thread')
const { bytes, longTextField, maxValues } = workerData as LargeBodyInput
const result: LargeBody = {
  parsed: parseJsonBytes(bytes, longTextField, maxValues),
  digest: sha256Base64(bytes),
}
parentPort.postMessage(result)
