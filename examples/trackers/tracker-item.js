// Makes the fields of an issue or page out of an action item: a step before the one of Jira, Linear or Notion.
// n8n: a Code node after “Drop repeated events” of ../n8n/workflow.json, in place of “Only recaps”.
// Zapier: a step “Code by Zapier → Run JavaScript” after ../zapier/verify.js, with its outputs `type` and `payload` as
// input data.

/** @returns {object | null} null for events that are not about action items */
function toTrackerItem(type, payload) {
  if (type !== 'action_created' && type !== 'action_changed') return null
  const { actionId, text, owner, dueDate, state, project, meetingTitle, url } = payload
  // Jira allows 255 characters in a summary, and Notion 2,000 in a title.
  const title = text.length <= 250 ? text : `${Array.from(text).slice(0, 249).join('')}…`
  return {
    // Store it with the issue or page (a label, a property), and search for it before you create or update one.
    actionId,
    step: type === 'action_created' ? 'create' : 'update',
    title,
    description: [text, `Meeting: ${meetingTitle} (${project})`, url].join('\n\n'),
    owner: owner ?? '',
    dueDate: dueDate ?? '',
    isDone: state === 'done',
    isDeleted: state === 'deleted',
  }
}

if (typeof $input !== 'undefined')
  return $input.all().flatMap(({ json }) => {
    const item = toTrackerItem(json.event.type, json.event.payload)
    return item === null ? [] : [{ json: item }]
  })
const item = toTrackerItem(inputData.type, JSON.parse(inputData.payload))
// Zapier runs the next steps once for each entry of a list.
return item === null ? [] : [item]
