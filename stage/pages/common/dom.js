/**
 * `el('div.a.b', { role: 'region', onclick: act }, 'text', child)`. No white space comes between the children:
 * readers of these pages go by siblings.
 */
export function el(spec, attributes = {}, ...children) {
  const [tag, ...classes] = spec.split('.')
  const element = document.createElement(tag)
  if (classes.length > 0) element.className = classes.join(' ')
  for (const [name, value] of Object.entries(attributes)) {
    if (name.startsWith('on')) element.addEventListener(name.slice(2), value)
    else if (value === true) element.setAttribute(name, '')
    else if (value !== false && value !== null) element.setAttribute(name, value)
  }
  element.append(...children)
  return element
}

let painted = []

/** Shows these nodes and takes away those of the screen before; what others put into the page stays. */
export function paint(...nodes) {
  for (const node of painted) if (!nodes.includes(node)) node.remove()
  painted = nodes
  document.body.append(...nodes)
}

/** Something laid over the screen: a dialog, a banner. */
export function overlay(node) {
  painted.push(node)
  document.body.append(node)
  return node
}

/** Writes a text by changing the one text node of the element, or by putting a new one in its place. */
export function write(element, text, by) {
  if (by === 'node' || element.firstChild === null) element.replaceChildren(new Text(''))
  element.firstChild.data = text
}
