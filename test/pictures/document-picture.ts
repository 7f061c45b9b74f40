import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { INSTALLATION_FOLDER } from '../../src/config/load-config.ts'

const FOLDER = join(INSTALLATION_FOLDER, 'docs/pictures')
/** Smaller files than PNG, and text is still sharp. */
const WEBP_QUALITY = 0.9

/** Writes a picture of the page, as a document shows it. */
export async function saveDocumentPicture(page: Page, name: string): Promise<void> {
  mkdirSync(FOLDER, { recursive: true })
  const picture = await encodeAsWebp(page, await page.screenshot({ caret: 'hide' }))
  writeFileSync(join(FOLDER, `${name}.webp`), picture)
}

/** Encodes a PNG with the browser, because it is the only program here that can. */
async function encodeAsWebp(page: Page, png: Buffer): Promise<Buffer> {
  const base64 = await page.evaluate<string>(`(async () => {
    const bytes = Uint8Array.from(atob('${png.toString('base64')}'), (character) => character.charCodeAt(0))
    const image = await createImageBitmap(new Blob([bytes], { type: 'image/png' }))
    const canvas = new OffscreenCanvas(image.width, image.height)
    canvas.getContext('2d').drawImage(image, 0, 0)
    const blob = await canvas.convertToBlob({ type: 'image/webp', quality: ${WEBP_QUALITY} })
    const encoded = new Uint8Array(await blob.arrayBuffer())
    return btoa(Array.from(encoded, (byte) => String.fromCharCode(byte)).join(''))
  })()`)
  return Buffer.from(base64, 'base64')
}
