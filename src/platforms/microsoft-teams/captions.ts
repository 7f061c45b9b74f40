import { z } from 'zod'
import type { Hand } from '../visit/hand.ts'
import type { CaptionControls } from '../visit/page-platform.ts'

/** The object of the page's calling library, by either of the names under which it has been seen. */
const CALL =
  '(window.callingDebug?.observableCall ?? window.msteamscalling?.deref?.()?.callingService?.getActiveCall?.())'

/** The library first: it does not toggle, and asks for no menus that differ between guests and hosts. */
export const MICROSOFT_TEAMS_CAPTIONS: CaptionControls = {
  turnOn: [byLibrary, byMenu, byKeys],
  comesWithSpeech: true,
  setLanguage: async (hand, language) => {
    const tag = JSON.stringify(language.toLowerCase())
    return (
      (await hand.inPage(`(${CALL})?.setClosedCaptionsLanguage?.(${tag}), !!(${CALL})`)) === true
    )
  },
  language: async (hand) => text(await hand.inPage(`(${CALL})?.getClosedCaptionsLanguage?.()`)),
}

/** Our own name on the wire. */
export async function ownMri(hand: Hand): Promise<string | null> {
  return text(await hand.inPage(`(${CALL})?.callerMri`))
}

async function byLibrary(hand: Hand): Promise<boolean> {
  const start = `(() => { const call = ${CALL}; if (!call?.startClosedCaption) return false; call.startClosedCaption(); return true })()`
  return (await hand.inPage(start)) === true
}

/** A guest finds captions in the menu itself, a host one level deeper. */
async function byMenu(hand: Hand): Promise<boolean> {
  if (!(await hand.click('moreButton'))) return false
  if (await hand.isShown('languageMenu')) await hand.click('languageMenu')
  if (await hand.click('captionsItem')) return true
  await hand.click('moreButton')
  return false
}

/** Whether the keys did anything can only be seen. */
async function byKeys(hand: Hand): Promise<boolean> {
  await hand.press('captionsItem')
  return false
}

function text(said: unknown): string | null {
  return z.string().min(1).max(200).safeParse(said).data ?? null
}
