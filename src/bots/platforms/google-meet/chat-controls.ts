import type { ChatControls } from '../page-session/page-platform.ts'
import type { PagePartActions } from '../page-session/page-actions.ts'
import type { GoogleMeetPartName } from './selectors.ts'

type Actions = PagePartActions<GoogleMeetPartName>

/**
 * The chat of Google Meet. Its panel is closed after each use, because the open panel moves buttons of the toolbar into
 * menus. The messages stay in the page.
 */
export const GOOGLE_MEET_CHAT_CONTROLS: ChatControls<GoogleMeetPartName> = {
  maxChars: 500,
  mustStayOpen: false,
  isOpen: (actions) => actions.isShown('chatInput'),
  async open(actions) {
    if (!(await openPanel(actions))) return false
    await actions.click('chatButton')
    return true
  },
  async post(actions, text) {
    if (!(await openPanel(actions)) || !(await actions.fill('chatInput', text))) return false
    const isSent = (await actions.click('chatSend')) || (await actions.pressKeys('chatSend'))
    await actions.click('chatButton')
    return isSent
  },
}

async function openPanel(actions: Actions): Promise<boolean> {
  if (await actions.isShown('chatInput')) return true
  return (await actions.click('chatButton')) && actions.waitUntilShown('chatInput')
}
