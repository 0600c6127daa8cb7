/** An open form for a part of the page: what it edits, and the position of that part. */
export interface EditorForm {
  kind: 'cell' | 'column' | 'table' | 'card-link' | 'card-cover'
  position: number
}
