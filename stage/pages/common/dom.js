/**
 * `el('div.a.b', { role: 'region', onclick: act }, 'text', child)`. There is no white space between the children,
 * because readers of these pages walk from sibling to sibling.
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

/** Replaces the nodes of the last screen with these. Nodes that a bot added stay. */
export function paint(...nodes) {
  for (const node of painted) if (!nodes.includes(node)) node.remove()
  painted = nodes
  document.body.append(...nodes)
}

/** Adds a dialog or a banner over the screen. */
export function overlay(node) {
  painted.push(node)
  document.body.append(node)
  return node
}

/** Sets the text of an element by changing its text node, or by replacing the node. */
export function write(element, text, by) {
  if (by === 'node' || element.firstChild === null) element.replaceChildren(new Text(''))
  element.firstChild.data = text
}
