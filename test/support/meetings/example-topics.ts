/** Titles of meetings, each with one line from the meeting. */
export const EXAMPLE_TOPICS = [
  ['Weekly product review', 'The search page gets faster before the new filters are built.'],
  ['Hiring: backend engineer', 'Two candidates are invited to a second interview next week.'],
  ['Customer call with Northwind', 'Northwind wants to start with thirty seats in January.'],
  ['Design critique', 'The dark theme stays, and the empty states get one illustration style.'],
  ['Incident follow-up', 'A full disk stopped the imports; an alert now warns at eighty percent.'],
  ['Budget second quarter', 'The budget of the offices is too small for three more desks.'],
] as const
