/** HTML as programs put it into the clipboard, shortened, and the Markdown that the editor makes of it. */
export const pastedHtml: readonly { from: string; html: string; markdown: string }[] = [
  {
    from: 'Google Docs',
    html: `<meta charset="utf-8"><b style="font-weight:normal;" id="docs-internal-guid-1"><h2 dir="ltr" style="line-height:1.38;"><span style="font-size:16pt;font-weight:400;">Plan</span></h2><p dir="ltr" style="line-height:1.38;"><span style="font-weight:400;">Some </span><span style="font-weight:700;">bold</span><span style="font-style:italic;"> and</span> <a href="https://example.com/" style="text-decoration:none;"><span style="text-decoration:underline;">link</span></a></p><ul style="margin-top:0;"><li dir="ltr" aria-level="1" style="list-style-type:disc;"><p dir="ltr" role="presentation"><span>One</span></p></li><ul><li dir="ltr" aria-level="2"><p dir="ltr" role="presentation"><span>Deep</span></p></li></ul></ul><ul><li dir="ltr" role="checkbox" aria-checked="true"><p role="presentation"><span>Done</span></p></li></ul></b><br class="Apple-interchange-newline">`,
    markdown: '## Plan\n\nSome **bold** _and_ [link](https://example.com/)\n\n* One\n  * Deep\n\n- [x] Done\n',
  },
  {
    from: 'Word',
    html: `<html xmlns:o="urn:schemas-microsoft-com:office:office"><head><style>p.MsoNormal{color:red}</style></head><body lang=EN-US><!--StartFragment--><h1 style='mso-list:none'>Report<o:p></o:p></h1><p class=MsoNormal>Text <b style='mso-bidi-font-weight:normal'>bold</b><o:p></o:p></p><p class=MsoListParagraphCxSpFirst style='text-indent:-.25in;mso-list:l0 level1 lfo1'><![if !supportLists]><span style='mso-list:Ignore'>·<span style='font:7.0pt'>&nbsp;&nbsp; </span></span><![endif]>First</p><p class=MsoListParagraphCxSpMiddle style='mso-list:l0 level2 lfo1'><span style='mso-list:Ignore'>1.<span>&nbsp; </span></span>Inner</p><p class=MsoListParagraphCxSpLast style='mso-list:l0 level1 lfo1'><span style='mso-list:Ignore'>·</span>Second</p><!--EndFragment--></body></html>`,
    markdown: '## Report\n\nText **bold**\n\n* First\n  1. Inner\n* Second\n',
  },
  {
    from: 'Notion',
    html: `<meta charset="utf-8"><h3>Title</h3><p>Text with <code>code</code></p><ul id="x" class="to-do-list"><li><div class="checkbox checkbox-off"></div><span>Open</span></li></ul><aside>Note this</aside><pre id="y" class="code"><code class="language-JavaScript">let a = 1</code></pre>`,
    markdown:
      '### Title\n\nText with `code`\n\n* [ ] Open\n\n{% hint style="info" %}\nNote this\n{% endhint %}\n\n```javascript\nlet a = 1\n```\n',
  },
  {
    from: 'Confluence',
    html: `<h2 id="a"><strong>Setup</strong></h2><div class="confluence-information-macro confluence-information-macro-warning conf-macro"><span class="aui-icon confluence-information-macro-icon"></span><div class="confluence-information-macro-body"><p>Careful</p></div></div><div class="code panel pdl"><div class="codeContent panelContent pdl"><pre class="syntaxhighlighter-pre" data-syntaxhighlighter-params="brush: java; gutter: false">int a = 1;</pre></div></div>`,
    markdown: '## **Setup**\n\n{% hint style="danger" %}\nCareful\n{% endhint %}\n\n```java\nint a = 1;\n```\n',
  },
  {
    from: 'GitHub',
    html: `<div class="markdown-heading"><h2 class="heading-element">Use</h2><a class="anchor" href="#use"><svg><path d="M1"></path></svg></a></div><div class="markdown-alert markdown-alert-tip"><p class="markdown-alert-title">Tip</p><p>Try it</p></div><div class="highlight highlight-source-js"><pre><span class="pl-k">let</span> a</pre><div class="zeroclipboard-container"><button>Copy</button></div></div><ul class="contains-task-list"><li class="task-list-item"><input type="checkbox" class="task-list-item-checkbox" checked disabled> Ready</li></ul>`,
    markdown: '## Use\n\n{% hint style="success" %}\nTry it\n{% endhint %}\n\n```js\nlet a\n```\n\n* [x] Ready\n',
  },
  {
    from: 'Google Docs with merged cells and an image',
    html: `<meta charset="utf-8"><b style="font-weight:normal;" id="docs-internal-guid-2"><p><span><img src="https://images.example/chart" width="602" alt="A chart"/></span></p><div><table><tbody><tr><td rowspan="2"><p>Tall</p></td><td><p>B1</p></td></tr><tr><td><p>B2</p></td></tr></tbody></table></div></b>`,
    markdown:
      '<figure><img src="https://images.example/chart" alt="A chart"><figcaption></figcaption></figure>\n\n<table data-header-hidden><thead><tr><th></th><th></th></tr></thead><tbody><tr><td rowspan="2">Tall</td><td>B1</td></tr><tr><td>B2</td></tr></tbody></table>\n',
  },
  {
    from: 'Notion with a toggle and written tasks',
    html: `<details open=""><summary>Toggle</summary><p>Inside</p></details><ul><li>[ ] Open</li><li>[x] Done</li></ul>`,
    markdown: '<details>\n\n<summary>Toggle</summary>\n\nInside\n\n</details>\n\n* [ ] Open\n* [x] Done\n',
  },
  {
    from: 'the new editor of Confluence',
    html: `<div data-panel-type="warning"><div><p>Careful</p></div></div><div data-node-type="expand" data-title="More"><p>Details</p></div><div data-task-list-local-id="a"><div data-task-local-id="b" data-task-state="DONE">Done</div></div>`,
    markdown:
      '{% hint style="warning" %}\nCareful\n{% endhint %}\n\n<details>\n\n<summary>More</summary>\n\nDetails\n\n</details>\n\n* [x] Done\n',
  },
  {
    from: 'Confluence with a layout and macros',
    html: `<div class="contentLayout2"><div class="columnLayout single" data-layout="single"><div class="cell normal" data-type="normal"><div class="innerCell"><p>Alone</p></div></div></div><div class="columnLayout two-equal" data-layout="two-equal"><div class="cell normal"><div class="innerCell"><p>Left</p><ul class="inline-task-list"><li class="checked" data-inline-task-id="1"><span class="placeholder-inline-tasks">Sent</span></li><li data-inline-task-id="2"><span>Open</span></li></ul></div></div><div class="cell normal"><div class="innerCell"><p>Right <span class="status-macro aui-lozenge aui-lozenge-success">DONE</span></p></div></div></div></div><div class="panel"><div class="panelHeader"><b>Mind</b></div><div class="panelContent"><p>the gap</p></div></div><div class="confluence-information-macro confluence-information-macro-tip"><p class="title">Tip</p><div class="confluence-information-macro-body"><p>Rest</p></div></div><div class="expand-container"><div class="expand-control"><span class="expand-control-icon"></span><span class="expand-control-text">Show</span></div><div class="expand-content"><p>Hidden</p></div></div>`,
    markdown:
      'Alone\n\n{% columns %}\n{% column %}\nLeft\n\n* [x] Sent\n* [ ] Open\n{% endcolumn %}\n\n{% column %}\nRight DONE\n{% endcolumn %}\n{% endcolumns %}\n\n{% hint style="info" %}\n**Mind**\n\nthe gap\n{% endhint %}\n\n{% hint style="success" %}\n**Tip**\n\nRest\n{% endhint %}\n\n<details>\n\n<summary>Show</summary>\n\nHidden\n\n</details>\n',
  },
  {
    from: 'the new editor of Confluence with a layout',
    html: `<div data-layout-section="true"><div data-layout-column="true" data-column-width="33.33" style="flex-basis: 33.33%"><div data-layout-content="true"><p><span data-node-type="status" data-color="green">LIVE</span> since May</p></div></div><div data-layout-column="true" data-column-width="66.66"><div data-layout-content="true"><div data-panel-type="error"><p>Stop</p></div></div></div></div><table><tbody><tr><td><div data-layout-section="true"><div data-layout-column="true"><p>One</p></div><div data-layout-column="true"><p>Two</p></div></div></td></tr></tbody></table><div class="pasted-columns"><div class="pasted-column" data-width="Infinity"><p>Forged</p></div></div>`,
    markdown:
      '{% columns %}\n{% column width="33%" %}\nLIVE since May\n{% endcolumn %}\n\n{% column width="67%" %}\n{% hint style="danger" %}\nStop\n{% endhint %}\n{% endcolumn %}\n{% endcolumns %}\n\n|                      |\n| -------------------- |\n| <p>One</p><p>Two</p> |\n\n{% columns %}\n{% column %}\nForged\n{% endcolumn %}\n{% endcolumns %}\n',
  },
  {
    from: 'GitHub with paragraphs in tasks and a picture in a line',
    html: `<ul class="contains-task-list"><li class="task-list-item"><p><input type="checkbox" checked="">Loose</p></li></ul><p><img src="https://images.example/badge" alt="Badge"> passes</p>`,
    markdown: '* [x] Loose\n\n<img src="https://images.example/badge" alt="Badge"> passes\n',
  },
  {
    from: 'another page in the editor',
    html: `<meta charset="utf-8"><ul data-pm-slice="3 1 []"><li><p>One <strong>two</strong></p></li></ul><p>Three</p>`,
    markdown: '* One **two**\n\nThree\n',
  },
  {
    from: 'Word with a table',
    html: `<html><body lang=EN-US><!--StartFragment--><table class=MsoTableGrid border=1><tr><td width=312><p class=MsoNormal><b>Name<o:p></o:p></b></p></td><td><p class=MsoNormal><b><span lang=DE>Role</span><o:p></o:p></b></p></td></tr><tr><td><p class=MsoNormal><b>Ann</b><o:p></o:p></p></td><td><p class=MsoNormal>Lead<o:p></o:p></p></td></tr></table><!--EndFragment--></body></html>`,
    markdown: '| Name    | Role |\n| ------- | ---- |\n| **Ann** | Lead |\n',
  },
  {
    from: 'Google Docs with a table',
    html: `<meta charset="utf-8"><b style="font-weight:normal;" id="docs-internal-guid-3"><div dir="ltr"><table><tbody><tr style="height:0pt"><td><p dir="ltr"><span style="font-weight:700;">Name</span></p></td><td><br></td></tr><tr><td><p><span style="font-weight:400;">Ann</span></p></td><td><p><span style="font-weight:400;">Lead</span></p></td></tr></tbody></table></div></b>`,
    markdown: '| Name |      |\n| ---- | ---- |\n| Ann  | Lead |\n',
  },
  {
    from: 'Excel',
    html: `<html><head><style><!--table {mso-displayed-decimal-separator:".";} td {font-weight:400;} .xl65 {font-weight:700; text-align:center;} --></style></head><body><table border=0><!--StartFragment--><col width=64><tr height=20><td class=xl65 width=64>Name</td><td class=xl65>Role</td></tr><tr><td>Ann</td><td class=xl65>Lead</td></tr><!--EndFragment--></table></body></html>`,
    markdown: '| Name | Role     |\n| ---- | -------- |\n| Ann  | **Lead** |\n',
  },
  {
    from: 'Google Sheets without titles',
    html: `<google-sheets-html-origin><style type="text/css"><!--td {border: 1px solid #cccccc;}--></style><table><colgroup><col width="100"></colgroup><tbody><tr><td style="font-weight:bold;">Ann</td><td>Lead</td></tr><tr><td>Ben</td><td>Cook</td></tr></tbody></table></google-sheets-html-origin>`,
    markdown: '|         |      |\n| ------- | ---- |\n| **Ann** | Lead |\n| Ben     | Cook |\n',
  },
  {
    from: 'GitHub with tasks in tasks',
    html: `<ul class="contains-task-list"><li class="task-list-item"><input type="checkbox" disabled=""> Open <ul class="contains-task-list"><li class="task-list-item"><input type="checkbox" checked="" disabled=""> Nested</li></ul></li></ul>`,
    markdown: '* [ ] Open\n  * [x] Nested\n',
  },
  {
    from: 'an exported page of Notion',
    html: `<ul id="a" class="bulleted-list"><li style="list-style-type:disc">One<ul id="b" class="bulleted-list"><li>Deep</li></ul></li></ul><ul id="c" class="bulleted-list"><li>Two</li></ul><ol type="1" id="d" class="numbered-list" start="3"><li>Three</li></ol>
<ol type="1" id="e" class="numbered-list" start="4"><li>Four</li></ol><ul id="f" class="to-do-list"><li><div class="checkbox checkbox-on"></div> <span>Done</span></li></ul><ul id="g" class="to-do-list"><li><div class="checkbox checkbox-off"></div> <span>Open</span></li></ul>`,
    markdown: '* One\n  * Deep\n* Two\n\n3. Three\n4. Four\n\n* [x] Done\n* [ ] Open\n',
  },
  {
    from: 'a page with an image that has no address',
    html: `<p>Text</p><figure><img src="data:image/png;base64,iVBORw0KGgo="><figcaption>Caption</figcaption></figure>`,
    markdown: 'Text\n',
  },
]
