/**
 * The CSS selectors that public scrapers of the platforms rely on, one entry per scraper. A text that starts with `=`
 * is an expression that must be true in the page.
 */
export type ScraperNeeds = {
  preJoin?: readonly string[]
  call?: readonly string[]
  panels?: readonly string[]
  captions?: readonly string[]
  /** For the earlier generation of the page. Only a few scrapers read both generations. */
  earlierCaptions?: readonly string[]
}

const named = (selector: string, pattern: string) =>
  `=[...document.querySelectorAll(${JSON.stringify(selector)})].some((one) => ${pattern}.test((one.getAttribute('aria-label') || one.innerText).trim()))`
const symbol = (word: string) =>
  `=[...document.querySelectorAll('.google-symbols')].some((one) => one.textContent === '${word}')`
const absent = (selector: string) => `=document.querySelector('${selector}') === null`
const unsaid = (words: string) => `=!document.body.innerText.includes(${JSON.stringify(words)})`

const FIRST_REGION = `document.querySelector('div[role="region"][tabindex="0"]')`
const TEXT = `document.querySelector('.ygicle')`
const CAPTION = `document.querySelector('[data-tid="closed-caption-text"]')`
const SAYS = `=document.body.innerText.includes('Everybody can read this line.')`

export const MEET_NEEDS: Readonly<Record<string, ScraperNeeds>> = {
  transcriptonic: {
    call: [
      symbol('call_end'),
      symbol('closed_caption_off'),
      symbol('chat'),
      `=[...document.querySelectorAll('.google-symbols')].find((one) => one.textContent === 'call_end').parentElement.parentElement.matches('button, div')`,
    ],
    panels: ['div[aria-live="polite"].Ge9Kpc'],
    captions: [
      `=${FIRST_REGION}.contains(${TEXT})`,
      `=${TEXT}.firstChild.nodeType === Node.TEXT_NODE && ${TEXT}.childNodes.length === 1`,
      `=${TEXT}.previousSibling.textContent === 'Ana Ribeiro'`,
      `=[...${FIRST_REGION}.children].at(-3) === ${TEXT}.parentElement`,
    ],
  },
  'recall-ext': {
    captions: [
      'div[role="region"][aria-label="Captions"] .nMcdL .NWpY1d',
      'div[role="region"][aria-label="Captions"] .nMcdL .ygicle',
    ],
  },
  'recall-gmeet': {
    call: ['button[aria-label="Leave call"]', 'button[aria-label="Turn on captions"]'],
    captions: [
      '[role="region"][aria-label*="Captions"]',
      '.NWpY1d, .xoMHSc',
      `=[...document.querySelectorAll('[aria-live]')].some((one) => one.textContent.trim() !== '')`,
    ],
  },
  sanand: {
    captions: [
      '[role=region][aria-label="Captions"] .nMcdL .NWpY1d',
      '[role=region][aria-label="Captions"] img[data-iml]',
    ],
  },
  openclaw: {
    call: [named('button', '/captions/i'), named('button', '/leave call/i')],
    captions: [
      `=${TEXT}.closest('[role="region"][aria-label*="aption" i]').querySelector('.nMcdL').innerText.split('\\n')[0] === 'Ana Ribeiro'`,
      SAYS,
    ],
  },
  attendee: {
    preJoin: [
      'input[type="text"][aria-label="Your name"]',
      '[aria-label="Turn off microphone"]',
      '[aria-label="Turn off camera"]',
      'audio',
      named('button', '/^ask to join$/i'),
    ],
    call: [
      'button[jsname="NakZHc"][aria-label="More options"]',
      'button[aria-label="Turn on captions"]',
      'main',
    ],
    panels: ['textarea[aria-label="Send a message"]'],
    captions: ['button[aria-label="Turn off captions"]'],
    earlierCaptions: ['button[aria-label="Turn off captions"]'],
  },
  vexa: {
    preJoin: ['input[jsname][type="text"]', named('button', '/ask to join|join now/i')],
    call: [
      unsaid('Asking to be let in'),
      unsaid("You'll join the call when someone lets you in"),
      absent('[role="alert"]'),
      '[data-self-name]',
      `=[...document.querySelectorAll('[data-participant-id]')].some((one) => one.innerText.includes('Ana Ribeiro'))`,
    ],
  },
  baas: {
    call: [
      'div[role="region"][aria-label="Call controls"]',
      'button[aria-label*="Chat with everyone"]',
      '[aria-label*="participant"], [aria-label="Show everyone"]',
    ],
    panels: [
      "[aria-label='Participants'] [role=listitem][aria-label]",
      `=[...document.querySelectorAll('div')].some((one) => one.innerText.trim() === 'People')`,
    ],
  },
  joinly: {
    preJoin: [
      `=[...document.querySelectorAll('input')].some((one) => /name/i.test(one.placeholder))`,
      named('button', '/join/i'),
    ],
    call: [
      named('button', '/leave/i'),
      named('button', '/^(people|show everyone)/i'),
      named('button', '/^chat/i'),
      'div[data-participant-id]',
    ],
  },
}

export const TEAMS_NEEDS: Readonly<Record<string, ScraperNeeds>> = {
  transcriptonic: {
    preJoin: ['#prejoin-join-button'],
    call: ['#hangup-button'],
    captions: [
      '[data-tid="closed-caption-renderer-wrapper"]',
      '[data-tid="closed-caption-v2-virtual-list-content"]',
      `=${CAPTION}.parentElement.previousSibling.textContent === 'Ana Ribeiro'`,
      `=${CAPTION}.childNodes.length === 1 && ${CAPTION}.firstChild.nodeType === Node.TEXT_NODE`,
    ],
  },
  attendee: {
    preJoin: [
      '[data-tid="prejoin-display-name-input"]',
      '[data-tid="toggle-mute"]',
      '[data-tid="toggle-video"]',
      '[data-tid="prejoin-join-button"]',
    ],
    call: [
      '#callingButtons-showMoreBtn',
      '#hangup-button',
      '#chat-button',
      '#view-mode-button, #custom-view-button',
      '=typeof window.callingDebug.observableCall.startClosedCaption === "function"',
      '=typeof window.msteamscalling.deref().callingService.getActiveCall().setClosedCaptionsLanguage === "function"',
    ],
    panels: ['[aria-label="Type a message"], [placeholder="Type a message"]'],
  },
  vexa: {
    call: [unsaid('Join now'), 'button[aria-label="Leave"]'],
    captions: [
      '[data-tid="closed-caption-renderer-wrapper"] [data-tid="author"]',
      '[data-tid="closed-caption-renderer-wrapper"] [data-tid="closed-caption-text"]',
      `=/^[A-Z]\\w+ [A-Z]\\w+/.test(document.querySelector('[data-tid="author"]').textContent)`,
    ],
  },
  baas: {
    preJoin: ['input[placeholder="Type your name"]', named('button', '/^join now$/i')],
    call: [
      named('button', '/^react$/i'),
      `=document.querySelector('button#raisehands-button').innerText.includes('Raise')`,
      '#chat-button',
    ],
  },
  lcs: {
    call: ['#hangup-button', 'button[data-tid="more-button"][aria-expanded]'],
    panels: ['[role="tree"][aria-label="Attendees"] [data-tid^="participantsInCall-"]'],
    captions: ["[data-tid*='closed-caption'] .fui-ChatMessageCompact", SAYS],
    earlierCaptions: ["[data-tid*='closed-caption']", SAYS],
  },
  pawel: {
    captions: ['.fui-ChatMessageCompact [data-tid="closed-captions-v2-items-renderer"]'],
  },
  sanand: {
    captions: ['[role="log"] [data-tid="author"]', '[role="log"] [data-tid="closed-caption-text"]'],
  },
  joinly: {
    preJoin: [
      `=[...document.querySelectorAll('input')].some((one) => /name/i.test(one.placeholder))`,
      named('button', '/join/i'),
    ],
    call: [named('button', '/leave/i'), named('button', '/^people/i'), named('button', '/^chat/i')],
    panels: [
      `div[aria-label="Attendees"][role="tree"] [data-cid='roster-participant'][aria-label]`,
    ],
  },
}
