import type { IconName } from '../../ui/icons.ts'
import { toolTexts as texts } from './edit-texts.ts'

/** A block that can be inserted. */
export interface BlockKind {
  title: string
  icon: IconName
  /** Markdown; `{{…}}` is selected after inserting. Empty if the text is chosen from a list. */
  text: string
  /** List from which the inserted text is chosen. */
  picker?: PickerKind
}

/** Kind of item that is chosen from a list of the space. */
export type PickerKind = 'reusable-content' | 'variable'

/** Returns the blocks that can be inserted, in the order of the menu. */
export const listBlocks = (): BlockKind[] => [
  { title: texts.heading2, icon: 'heading', text: '## {{Heading}}' },
  { title: texts.heading3, icon: 'heading', text: '### {{Heading}}' },
  { title: texts.list, icon: 'list', text: '* {{Item}}' },
  { title: texts.taskList, icon: 'square-check', text: '* [ ] {{Task}}' },
  { title: texts.quote, icon: 'blockquote', text: '> {{Quote}}' },
  { title: texts.hint, icon: 'info', text: '{% hint style="info" %}\n{{Text}}\n{% endhint %}' },
  { title: texts.codeBlock, icon: 'code', text: '```\n{{code}}\n```' },
  { title: texts.table, icon: 'table', text: '| {{Name}} | Value |\n| --- | --- |\n| A | 1 |' },
  {
    title: texts.tabs,
    icon: 'folder',
    text: '{% tabs %}\n{% tab title="{{First}}" %}\nText\n{% endtab %}\n\n{% tab title="Second" %}\nText\n{% endtab %}\n{% endtabs %}',
  },
  {
    title: texts.expandable,
    icon: 'chevron-right',
    text: '<details>\n\n<summary>{{Title}}</summary>\n\nText\n\n</details>',
  },
  {
    title: texts.stepper,
    icon: 'list-tree',
    text: '{% stepper %}\n{% step %}\n### {{First step}}\n\nText\n{% endstep %}\n\n{% step %}\n### Second step\n\nText\n{% endstep %}\n{% endstepper %}',
  },
  {
    title: texts.columns,
    icon: 'columns',
    text: '{% columns %}\n{% column %}\n{{Left}}\n{% endcolumn %}\n\n{% column %}\nRight\n{% endcolumn %}\n{% endcolumns %}',
  },
  {
    title: texts.cards,
    icon: 'template',
    text: '<table data-view="cards"><thead><tr><th></th><th></th><th data-hidden data-card-target data-type="content-ref"></th></tr></thead><tbody><tr><td><strong>{{Card}}</strong></td><td>Text</td><td></td></tr></tbody></table>',
  },
  { title: texts.embed, icon: 'world', text: '{% embed url="{{https://example.com}}" %}' },
  { title: texts.math, icon: 'variable', text: '$$\n{{a^2 + b^2 = c^2}}\n$$' },
  { title: texts.mermaid, icon: 'git-branch', text: '```mermaid\ngraph LR\n  {{A}} --> B\n```' },
  { title: texts.reusable, icon: 'stack', text: '', picker: 'reusable-content' },
  { title: texts.variable, icon: 'variable', text: '', picker: 'variable' },
  {
    title: texts.openapi,
    icon: 'bolt',
    text: '{% openapi-operation spec="{{spec}}" path="/path" method="get" %}\n{% endopenapi-operation %}',
  },
  { title: texts.divider, icon: 'minus', text: '***' },
]
