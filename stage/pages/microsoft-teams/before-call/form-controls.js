import { el } from '../../common/dom.js'

/** Typing a name enables the join button. */
export function nameInput(page, join) {
  const { texts } = page
  const input = el('input.fui-Input__input', {
    type: 'text',
    'data-tid': 'prejoin-display-name-input',
    placeholder: texts.typeName,
    'aria-label': texts.typeName,
  })
  input.addEventListener('input', () => {
    page.name = input.value.trim()
    join.disabled = page.name === ''
  })
  return input
}

/** The earlier page stores the state only in `checked`. */
export function device({ knobs }, tid, label) {
  const hasState = knobs.generation === 'current'
  const input = el('input', {
    type: 'checkbox',
    role: 'switch',
    'data-tid': tid,
    'aria-label': label,
    'aria-checked': hasState ? 'true' : null,
    checked: true,
  })
  input.addEventListener('change', () => {
    if (hasState) input.setAttribute('aria-checked', String(input.checked))
  })
  return input
}

export function radio(label, checked) {
  return el('label', {}, el('input', { type: 'radio', name: 'audio', checked }), label)
}
