// Pages as rendered by documentation generators: their elements, classes and order, with little text.

const page = (generator: string, title: string, head: string, body: string) =>
  `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="generator" content="${generator}">` +
  `<title>${title}</title>${head}<style>.x{color:red}</style><script>window.x = "<h1>no</h1>"</script></head><body>${body}</body></html>`

const katex = (tex: string, mathml = '<mi>x</mi>') =>
  `<span class="katex"><span class="katex-mathml"><math xmlns="http://www.w3.org/1998/Math/MathML"><semantics><mrow>${mathml}</mrow>` +
  `<annotation encoding="application/x-tex">${tex}</annotation></semantics></math></span>` +
  `<span class="katex-html" aria-hidden="true"><span class="base"><span class="mord mathnormal">x</span></span></span></span>`

const katexBlock = (tex: string) => `<span class="katex-display">${katex(tex)}</span>`

const docusaurusHash = (id: string, title: string) =>
  `<a href="#${id}" class="hash-link" aria-label="Direct link to ${title}" title="Direct link to ${title}" translate="no">​</a>`

export const docusaurusPage = page(
  'Docusaurus v3.7.0',
  'Install | Acme',
  `<meta property="og:title" content="Install | Acme"><meta name="description" content="How to get Acme onto a machine.">
   <link rel="canonical" href="https://acme.dev/docs/install">`,
  `<div id="__docusaurus"><div role="region" aria-label="Skip to main content"><a class="skipToContent_fXgn" href="#__docusaurus_skipToContent_fallback">Skip to main content</a></div>
  <nav aria-label="Main" class="navbar navbar--fixed-top"><a class="navbar__brand" href="/"><b class="navbar__title">Acme</b></a><a class="navbar__item navbar__link" href="/blog">Blog</a></nav>
  <div class="main-wrapper"><aside class="theme-doc-sidebar-container"><nav aria-label="Docs sidebar" class="menu thin-scrollbar">
    <ul class="theme-doc-sidebar-menu menu__list">
      <li class="theme-doc-sidebar-item-link theme-doc-sidebar-item-link-level-1 menu__list-item"><a class="menu__link" href="/docs/">Intro</a></li>
      <li class="theme-doc-sidebar-item-category theme-doc-sidebar-item-category-level-1 menu__list-item">
        <div class="menu__list-item-collapsible"><a class="menu__link menu__link--sublist menu__link--sublist-caret" role="button" aria-expanded="true" href="#">Setup</a></div>
        <ul class="menu__list"><li class="theme-doc-sidebar-item-link menu__list-item"><a class="menu__link menu__link--active" aria-current="page" href="/docs/install">Install</a></li>
        <li class="theme-doc-sidebar-item-link menu__list-item"><a class="menu__link" href="/docs/configure">Configure</a></li></ul></li>
      <li class="theme-doc-sidebar-item-category menu__list-item"><div class="menu__list-item-collapsible"><a class="menu__link menu__link--sublist" href="/docs/category/api">API</a><button aria-label="Expand" type="button" class="clean-btn menu__caret"></button></div></li>
    </ul></nav></aside>
  <main class="docMainContainer_TBSr"><div class="row"><div class="col docItemCol_VOVn"><div class="docItemContainer_Djhp"><article>
    <nav class="theme-doc-breadcrumbs breadcrumbsContainer_Z_bl" aria-label="Breadcrumbs"><ul class="breadcrumbs"><li class="breadcrumbs__item"><span class="breadcrumbs__link">Setup</span></li></ul></nav>
    <div class="tocCollapsible_ETCw theme-doc-toc-mobile"><button type="button" class="clean-btn">On this page</button></div>
    <div class="theme-doc-markdown markdown"><header><h1>Install</h1></header>
    <p>Run <code>acme up</code> and see <a href="/docs/configure#keys">the <strong>keys</strong></a>, or press <kbd>Ctrl</kbd>+<kbd>C</kbd>.</p>
    <h2 class="anchor anchorWithStickyNavbar_LWe7" id="v12-setup">v1.2 setup${docusaurusHash('v12-setup', 'v1.2 setup')}</h2>
    <div class="theme-admonition theme-admonition-tip admonition_xJq3 alert alert--success"><div class="admonitionHeading_Gvgb"><span class="admonitionIcon_Rf37"><svg viewBox="0 0 12 16"><path d="M6"></path></svg></span>tip</div><div class="admonitionContent_BuS1"><p>Be quick.</p></div></div>
    <div class="theme-admonition theme-admonition-danger admonition_xJq3 alert alert--danger"><div class="admonitionHeading_Gvgb"><span class="admonitionIcon_Rf37"></span>Mind the gap</div><div class="admonitionContent_BuS1"><p>It bites.</p></div></div>
    <div class="theme-tabs-container tabs-container tabList__CuJ"><ul role="tablist" aria-orientation="horizontal" class="tabs"><li role="tab" tabindex="0" aria-selected="true" class="tabs__item tabItem_LNqP tabs__item--active">npm</li><li role="tab" tabindex="-1" aria-selected="false" class="tabs__item tabItem_LNqP">Yarn</li></ul>
      <div class="margin-top--md"><div role="tabpanel" class="tabItem_Ymn6"><p>With npm.</p></div><div role="tabpanel" class="tabItem_Ymn6" hidden=""><p>With Yarn.</p></div></div></div>
    <div class="language-js codeBlockContainer_Ckt0 theme-code-block" style="--prism-color:#393A34"><div class="codeBlockTitle_Ktv7">src/index.js</div><div class="codeBlockContent_biex"><pre tabindex="0" class="prism-code language-js codeBlock_bY9V thin-scrollbar"><code class="codeBlockLines_e6Vv"><span class="token-line" style="color:#393A34"><span class="token keyword" style="color:#00009f">if</span><span class="token plain"> (a </span><span class="token operator">&lt;</span><span class="token plain"> b) {</span><br></span><span class="token-line theme-code-block-highlighted-line" style="color:#393A34"><span class="token plain">  run(</span><span class="token string">"*x*"</span><span class="token plain">)</span><br></span><span class="token-line" style="color:#393A34"><span class="token plain" style="display:inline-block"></span><br></span><span class="token-line" style="color:#393A34"><span class="token plain">}</span><br></span></code></pre><div class="buttonGroup__atx"><button type="button" aria-label="Copy code to clipboard" class="clean-btn"><span class="copyButtonIcons_eSgA" aria-hidden="true"></span></button></div></div></div>
    <h3 class="anchor" id="a-table">A table${docusaurusHash('a-table', 'A table')}</h3>
    <table><thead><tr><th>Name</th><th style="text-align:center">Use</th></tr></thead><tbody><tr><td><code>a|b</code></td><td style="text-align:center"><a href="/docs/">one</a></td></tr></tbody></table>
    <details class="details_lb9f alert alert--info details_b_Ee" data-collapsed="true"><summary>More <em>of</em> it</summary><div><div class="collapsibleContent_i85q"><p>Inside.</p></div></div></details>
    <p><img decoding="async" loading="lazy" alt="Shot" src="/assets/images/shot-1.png" width="640" height="480" class="img_ev3q"></p>
    <p><img src="/img/l.svg" alt="Logo" class="themedComponent_mlkZ themedComponent--light_NVdE"><img src="/img/d.svg" alt="Logo" class="themedComponent_mlkZ themedComponent--dark_xIcU"></p>
    <p>Let ${katex('x^2')} be.</p>${katexBlock('\\int_0^1 x')}
    <ul class="contains-task-list containsTaskList_mC6p"><li class="task-list-item"><input type="checkbox" disabled="" checked=""> done</li><li class="task-list-item"><input type="checkbox" disabled=""> open</li></ul>
    <p>Noted<sup><a href="#user-content-fn-1-a1" id="user-content-fnref-1-a1" data-footnote-ref="true" aria-describedby="footnote-label">1</a></sup> here.</p>
    <iframe width="560" height="315" src="https://www.youtube.com/embed/abc123?si=1" title="Video"></iframe>
    <section class="row list_eTzJ"><article class="col col--6 margin-bottom--lg"><a class="card padding--lg cardContainer_fWXF" href="/docs/one"><h2 class="text--truncate cardTitle_rnsV" title="One">📄️ One</h2><p class="text--truncate cardDescription_PWke" title="First">First</p></a></article><article class="col col--6 margin-bottom--lg"><a class="card padding--lg cardContainer_fWXF" href="/docs/two"><h2 class="cardTitle_rnsV" title="Two">Two</h2></a></article></section>
    <section data-footnotes="true" class="footnotes"><h2 class="anchor sr-only" id="footnote-label">Footnotes</h2><ol><li id="user-content-fn-1-a1"><p>The note. <a href="#user-content-fnref-1-a1" data-footnote-backref="" aria-label="Back to reference 1" class="data-footnote-backref">↩</a></p></li></ol></section>
    </div><footer class="theme-doc-footer docusaurus-mt-lg"><a href="https://github.com/acme/acme/edit/main/docs/install.md" class="theme-edit-this-page">Edit this page</a></footer></article>
    <nav class="docusaurus-mt-lg pagination-nav" aria-label="Docs pages"><a class="pagination-nav__link pagination-nav__link--next" href="/docs/configure"><div class="pagination-nav__sublabel">Next</div><div class="pagination-nav__label">Configure</div></a></nav></div></div>
    <div class="col col--3"><div class="tableOfContents_bqdL thin-scrollbar theme-doc-toc-desktop"><ul class="table-of-contents"><li><a href="#v12-setup" class="table-of-contents__link">v1.2 setup</a></li></ul></div></div></div></main></div>
  <footer class="theme-layout-footer footer"><a href="/legal">Legal</a></footer></div>`,
)

const vitepressAnchor = (id: string, title: string) =>
  `<a class="header-anchor" href="#${id}" aria-label="Permalink to &quot;${title}&quot;">​</a>`

const vitepressCode = (language: string, lines: string, more = '') =>
  `<div class="language-${language} vp-adaptive-theme line-numbers-mode${more}"><button title="Copy Code" class="copy"></button><span class="lang">${language}</span>` +
  `<pre class="shiki shiki-themes github-light github-dark vp-code" tabindex="0" v-pre=""><code>${lines}</code></pre>` +
  `<div class="line-numbers-wrapper" aria-hidden="true"><span class="line-number">1</span><br><span class="line-number">2</span><br></div></div>`

export const vitepressPage = page(
  'VitePress v1.6.3',
  'Install | Acme',
  '<meta name="description" content="Run acme up and">',
  `<div id="app"><div class="Layout"><span tabindex="-1"></span><a href="#VPContent" class="VPSkipLink visually-hidden">Skip to content</a>
  <header class="VPNav"><div class="VPNavBar"><a class="title" href="/"><span>Acme</span></a><nav aria-labelledby="main-nav-aria-label" class="VPNavBarMenu menu"><a class="VPLink link VPNavBarMenuLink" href="/guide/">Guide</a></nav></div></header>
  <aside class="VPSidebar"><div class="curtain"></div><nav class="nav" id="VPSidebarNav" aria-labelledby="sidebar-aria-label" tabindex="-1"><span class="visually-hidden" id="sidebar-aria-label">Sidebar Navigation</span>
    <div class="no-transition group"><section class="VPSidebarItem level-0 has-active"><div class="item" role="button" tabindex="0"><div class="indicator"></div><h2 class="text">Guide</h2></div><div class="items">
      <div class="VPSidebarItem level-1 is-link is-active has-active"><div class="item"><div class="indicator"></div><a class="VPLink link link" href="/guide/install.html"><p class="text">Install</p></a></div></div>
      <section class="VPSidebarItem level-1 collapsible is-link"><div class="item" tabindex="0"><div class="indicator"></div><a class="VPLink link link" href="/guide/use.html"><h3 class="text">Use</h3></a><div class="caret" role="button" aria-label="toggle section" tabindex="0"><span class="vpi-chevron-right caret-icon"></span></div></div><div class="items"><div class="VPSidebarItem level-2 is-link"><div class="item"><div class="indicator"></div><a class="VPLink link link" href="/guide/more.html"><p class="text">More</p></a></div></div></div></section>
    </div></section></div></nav></aside>
  <div class="VPContent has-sidebar" id="VPContent"><div class="VPDoc has-sidebar has-aside"><div class="container"><div class="aside"><div class="aside-container"><nav aria-labelledby="doc-outline-aria-label" class="VPDocAsideOutline has-outline"><div class="outline-title">On this page</div><ul><li><a class="outline-link" href="#in-short">In short</a></li></ul></nav></div></div>
  <div class="content"><div class="content-container"><main class="main"><div style="position:relative;" class="vp-doc _guide_install"><div>
    <h1 id="install" tabindex="-1">Install ${vitepressAnchor('install', 'Install')}</h1><p>Run <code>acme up</code> and wait.</p>
    <h2 id="in-short" tabindex="-1">In short ${vitepressAnchor('in-short', 'In short')}</h2>
    <div class="tip custom-block"><p class="custom-block-title">TIP</p><p>Be quick.</p></div>
    <div class="warning custom-block"><p class="custom-block-title">Mind the gap</p><ul><li>one</li><li>two</li></ul></div>
    <div class="caution custom-block github-alert"><p class="custom-block-title">CAUTION</p><p>It bites.</p></div>
    <details class="details custom-block"><summary>Details</summary><p>Inside.</p></details>
    ${vitepressCode('ts', '<span class="line"><span style="--shiki-light:#D73A49">const</span><span> a </span><span>=</span><span> `b`</span></span>\n<span class="line"></span>\n<span class="line highlighted"><span>  run</span><span>()</span></span>')}
    <div class="vp-code-group vp-adaptive-theme"><div class="tabs"><input type="radio" name="group-1" id="tab-1" checked=""><label data-title="npm" for="tab-1">npm</label><input type="radio" name="group-1" id="tab-2"><label data-title="config.js" for="tab-2">config.js</label></div><div class="blocks">
    ${vitepressCode('sh', '<span class="line"><span>npm i acme</span></span>', ' active')}${vitepressCode('js', '<span class="line"><span>export default {}</span></span>')}</div></div>
    <table tabindex="0"><thead><tr><th style="text-align:left;">Left</th><th style="text-align:right;">Right</th></tr></thead><tbody><tr><td style="text-align:left;">a</td><td style="text-align:right;">1<br>2</td></tr></tbody></table>
    <p><img src="/shot.png" alt="Shot"></p>
    <p>Let <mjx-container class="MathJax" jax="SVG" style="direction: ltr;"><svg role="img"></svg><mjx-assistive-mml unselectable="on" display="inline"><math xmlns="http://www.w3.org/1998/Math/MathML"><mi>x</mi></math></mjx-assistive-mml></mjx-container> be.</p>
  </div></div></main><footer class="VPDocFooter"><div class="edit-info"><div class="edit-link"><a class="VPLink link edit-link-button" href="https://github.com/acme/edit/install.md">Edit this page</a></div></div><nav class="prev-next"><div class="pager"><a class="VPLink link pager-link next" href="/guide/use.html"><span class="desc">Next page</span><span class="title">Use</span></a></div></nav></footer></div></div></div></div></div></div></div>`,
)

const headerLink = (id: string) => `<a class="headerlink" href="#${id}" title="Permanent link">&para;</a>`

export const materialPage = page(
  'mkdocs-1.6.1, mkdocs-material-9.6.5',
  'Install - Acme',
  '<link rel="canonical" href="https://acme.dev/setup/install/">',
  `<div data-md-component="skip"><a href="#install" class="md-skip">Skip to content</a></div>
  <header class="md-header" data-md-component="header"><nav class="md-header__inner md-grid" aria-label="Header"><a href="../.." title="Acme" class="md-header__button md-logo">Acme</a></nav></header>
  <div class="md-container"><main class="md-main"><div class="md-main__inner md-grid">
  <div class="md-sidebar md-sidebar--primary"><div class="md-sidebar__scrollwrap"><div class="md-sidebar__inner"><nav class="md-nav md-nav--primary" aria-label="Navigation" data-md-level="0"><label class="md-nav__title" for="__drawer"><a href="../.." title="Acme" class="md-nav__button md-logo"></a>Acme</label>
    <ul class="md-nav__list" data-md-scrollfix><li class="md-nav__item"><a href="../.." class="md-nav__link"><span class="md-ellipsis">Home</span></a></li>
    <li class="md-nav__item md-nav__item--active md-nav__item--nested"><input class="md-nav__toggle md-toggle" type="checkbox" id="__nav_2" checked><label class="md-nav__link" for="__nav_2" id="__nav_2_label"><span class="md-ellipsis">Setup</span><span class="md-nav__icon md-icon"></span></label>
      <nav class="md-nav" data-md-level="1" aria-labelledby="__nav_2_label"><label class="md-nav__title" for="__nav_2"><span class="md-nav__icon md-icon"></span>Setup</label><ul class="md-nav__list" data-md-scrollfix>
      <li class="md-nav__item md-nav__item--active"><input class="md-nav__toggle md-toggle" type="checkbox" id="__toc"><label class="md-nav__link md-nav__link--active" for="__toc"><span class="md-ellipsis">Install</span></label><a href="./" class="md-nav__link md-nav__link--active"><span class="md-ellipsis">Install</span></a>
        <nav class="md-nav md-nav--secondary" aria-label="Table of contents"><ul class="md-nav__list"><li class="md-nav__item"><a href="#in-short" class="md-nav__link"><span class="md-ellipsis">In short</span></a></li></ul></nav></li>
      <li class="md-nav__item"><a href="../use/" class="md-nav__link"><span class="md-ellipsis">Use</span></a></li></ul></nav></li></ul></nav></div></div></div>
  <div class="md-sidebar md-sidebar--secondary"><nav class="md-nav md-nav--secondary" aria-label="Table of contents"><ul class="md-nav__list"><li class="md-nav__item"><a href="#in-short" class="md-nav__link">In short</a></li></ul></nav></div>
  <div class="md-content" data-md-component="content"><article class="md-content__inner md-typeset"><a href="https://github.com/acme/edit/install.md" title="Edit this page" class="md-content__button md-icon"></a>
    <h1 id="install">Install${headerLink('install')}</h1><p>Run it with <span class="keys"><kbd class="key-control">Ctrl</kbd><span>+</span><kbd class="key-c">C</kbd></span>.</p>
    <h2 id="whats-new">What's <code>new</code>?${headerLink('whats-new')}</h2>
    <div class="admonition note"><p class="admonition-title">Note</p><p>Be quick.</p></div>
    <div class="admonition failure inline end"><p class="admonition-title">Broken <code>x</code></p><p>It bites.</p><div class="highlight"><pre><span></span><code>plain
</code></pre></div></div>
    <details class="tip" open="open"><summary>Fold me</summary><p>Inside.</p></details>
    <div class="tabbed-set tabbed-alternate" data-tabs="1:2"><input checked="checked" id="__tabbed_1_1" name="__tabbed_1" type="radio"><input id="__tabbed_1_2" name="__tabbed_1" type="radio"><div class="tabbed-labels"><label for="__tabbed_1_1">C</label><label for="__tabbed_1_2">C++</label></div><div class="tabbed-content"><div class="tabbed-block"><p>In C.</p></div><div class="tabbed-block"><p>In C++.</p></div></div></div>
    <div class="language-python highlight"><span class="filename">app.py</span><pre id="__code_0"><span></span><button class="md-clipboard md-icon" title="Copy to clipboard"></button><code><a id="__codelineno-0-1" name="__codelineno-0-1" href="#__codelineno-0-1"></a><span class="kn">import</span> <span class="nn">os</span>
<span class="hll"><a id="__codelineno-0-2" name="__codelineno-0-2" href="#__codelineno-0-2"></a><span class="nb">print</span><span class="p">(</span><span class="mi">1</span><span class="p">)</span>
</span></code></pre></div>
    <div class="language-yaml highlight"><table class="highlighttable"><tbody><tr><th colspan="2" class="filename"><span class="filename">mkdocs.yml</span></th></tr><tr><td class="linenos"><div class="linenodiv"><pre><span></span><span class="normal">1</span>
<span class="normal">2</span></pre></div></td><td class="code"><div><pre><span></span><code><span class="nt">a</span><span class="p">:</span>
  b: c
</code></pre></div></td></tr></tbody></table></div>
    <pre class="mermaid"><code>graph LR
  A --&gt; B</code></pre>
    <dl><dt><code>lorem</code></dt><dd><p>A word.</p></dd><dt>ipsum</dt><dd>Another.</dd></dl>
    <ul class="task-list"><li class="task-list-item"><label class="task-list-control"><input type="checkbox" disabled checked><span class="task-list-indicator"></span></label> done</li></ul>
    <p><img alt="Look" src="../look.png#only-light"><img alt="Look" src="../look-dark.png#only-dark"></p>
    <figure><p><img alt="Plan" src="../plan.png" width="300"></p><figcaption><p>The <em>plan</em></p></figcaption></figure>
    <div class="arithmatex">\\[ a &lt; b \\]</div><p>and <span class="arithmatex">\\(c\\)</span>.</p>
    <p>Noted<sup id="fnref:1"><a class="footnote-ref" href="#fn:1">1</a></sup>.</p>
    <div class="grid cards"><ul><li><p><span class="twemoji"><svg></svg></span> <strong>Fast</strong></p><hr><p><a href="../use/">Use it</a></p></li></ul></div>
    <div class="footnote"><hr><ol><li id="fn:1"><p>The note.&#160;<a class="footnote-backref" href="#fnref:1" title="Jump back to footnote 1 in the text">&#8617;</a></p></li></ol></div>
    <aside class="md-source-file"><span class="md-source-file__fact">January 1, 2026</span></aside>
    <form class="md-feedback" name="feedback"><fieldset><legend class="md-feedback__title">Was this page helpful?</legend></fieldset></form>
  </article></div></div></main><footer class="md-footer"><nav class="md-footer__inner" aria-label="Footer"><a href="../use/" class="md-footer__link">Use</a></nav></footer></div>`,
)

export const mkdocsPage = page(
  'mkdocs',
  'Install - Acme',
  '',
  `<div class="navbar fixed-top navbar-expand-lg navbar-dark bg-primary"><div class="container"><a class="navbar-brand" href="..">Acme</a><div id="navbar-collapse" class="navbar-collapse collapse"><ul class="nav navbar-nav"><li class="nav-item"><a href=".." class="nav-link">Home</a></li><li class="nav-item dropdown"><a href="#" class="nav-link dropdown-toggle" role="button" data-bs-toggle="dropdown">Setup</a><ul class="dropdown-menu"><li><a href="./" class="dropdown-item active" aria-current="page">Install</a></li><li><a href="../use/" class="dropdown-item">Use</a></li></ul></li></ul></div></div></div>
  <div class="container"><div class="row"><div class="col-md-3"><div class="navbar-light navbar-expand-md bs-sidebar hidden-print affix" role="complementary"><ul class="nav bs-sidenav"><li><a href="#install">Install</a></li></ul></div></div>
  <div class="col-md-9" role="main"><h1 id="install">Install</h1><p>Run it.</p><pre><code class="language-python hljs">print("a")\n</code></pre><div class="admonition danger"><p class="admonition-title">Danger</p><p>It bites.</p></div></div></div></div>
  <div class="modal" id="mkdocs_search_modal" tabindex="-1" role="dialog"><h4 class="modal-title">Search</h4></div>`,
)

const starlightHeading = (id: string, title: string) =>
  `<div class="sl-heading-wrapper level-h2"><h2 id="${id}">${title}</h2><a class="sl-anchor-link" href="#${id}"><span aria-hidden="true" class="sl-anchor-icon"><svg></svg></span><span class="sr-only">Section titled “${title}”</span></a></div>`

export const starlightPage = page(
  'Starlight v0.32.0',
  'Install | Acme',
  '<meta name="description" content="All about installing.">',
  `<a href="#_top" class="astro-7q3lir66">Skip to content</a><div class="page sl-flex"><header class="header"><a href="/" class="site-title sl-flex"><span>Acme</span></a></header>
  <nav class="sidebar print:hidden" aria-label="Main"><div id="starlight__sidebar" class="sidebar-pane"><div class="sidebar-content sl-flex"><sl-sidebar-state-persist>
    <ul class="top-level"><li><a href="/" class="large"><span>Home</span></a></li><li><details open><summary><div class="group-label"><span class="large">Setup</span></div><svg></svg></summary><sl-sidebar-restore data-index="0"></sl-sidebar-restore><ul><li><a href="/setup/install/" aria-current="page"><span>Install</span></a></li><li><a href="/setup/use/"><span>Use</span><span class="sl-badge note small">New</span></a></li></ul></details></li></ul></sl-sidebar-state-persist></div></div></nav>
  <div class="main-frame"><div class="lg:sl-flex"><aside class="right-sidebar-container"><nav aria-labelledby="starlight__on-this-page"><h2 id="starlight__on-this-page">On this page</h2><ul><li><a href="#_top"><span>Overview</span></a></li></ul></nav></aside>
  <div class="main-pane"><main data-pagefind-body lang="en" dir="ltr"><div class="content-panel"><div class="sl-container"><h1 id="_top">Install</h1></div></div>
  <div class="content-panel"><div class="sl-container"><div class="sl-markdown-content">
    <p>Run <code dir="auto">acme</code>.</p>${starlightHeading('in-short', 'In short')}
    <aside aria-label="Note" class="starlight-aside starlight-aside--note"><p class="starlight-aside__title" aria-hidden="true"><svg class="starlight-aside__icon"></svg>Note</p><div class="starlight-aside__content"><p>Be quick.</p></div></aside>
    <aside aria-label="Did you know?" class="starlight-aside starlight-aside--caution"><p class="starlight-aside__title" aria-hidden="true"><svg></svg>Did you know?</p><div class="starlight-aside__content"><p>It bites.</p></div></aside>
    <starlight-tabs data-sync-key="pkg"><div class="tablist-wrapper not-content"><ul role="tablist"><li role="presentation" class="tab"><a role="tab" href="#tab-panel-1" id="tab-1" aria-selected="true" tabindex="0">npm</a></li><li role="presentation" class="tab"><a role="tab" href="#tab-panel-2" id="tab-2" aria-selected="false" tabindex="-1">pnpm</a></li></ul></div>
      <div id="tab-panel-1" aria-labelledby="tab-1" role="tabpanel"><div class="expressive-code"><figure class="frame is-terminal not-content"><figcaption class="header"><span class="title"></span><span class="sr-only">Terminal window</span></figcaption><pre data-language="sh"><code><div class="ec-line"><div class="code"><span style="--0:#82AAFF">npm</span><span> i</span></div></div></code></pre><div class="copy"><div aria-live="polite"></div><button title="Copy to clipboard" data-copied="Copied!" data-code="npm i"><div></div></button></div></figure></div></div>
      <div id="tab-panel-2" aria-labelledby="tab-2" role="tabpanel" hidden=""><p>With pnpm.</p></div></starlight-tabs>
    <div class="expressive-code"><link rel="stylesheet" href="/_astro/ec.css"><script type="module" src="/_astro/ec.js"></script><figure class="frame has-title not-content"><figcaption class="header"><span class="title">a.js</span></figcaption><pre data-language="js"><code><div class="ec-line"><div class="gutter"><div class="ln" aria-hidden="true">1</div></div><div class="code"><span>if (a) {</span></div></div><div class="ec-line highlight mark"><div class="gutter"><div class="ln" aria-hidden="true">2</div></div><div class="code"><span class="indent">  </span><span>go()</span></div></div><div class="ec-line"><div class="gutter"><div class="ln" aria-hidden="true">3</div></div><div class="code">
</div></div><div class="ec-line"><div class="gutter"><div class="ln" aria-hidden="true">4</div></div><div class="code">}</div></div></code></pre><div class="copy"><button title="Copy to clipboard" data-code="x"><div></div></button></div></figure></div>
    <ol role="list" class="sl-steps" style="--sl-steps-start: 0"><li><p>Get it.</p></li><li><p>Run it:</p><pre data-language="sh"><code>acme</code></pre></li></ol>
    <div class="card-grid"><article class="card sl-flex"><p class="title sl-flex"><svg></svg><span>Card</span></p><div class="body"><p>Words.</p></div></article></div>
    <div class="sl-link-card"><span class="sl-flex stack"><a href="/setup/use/"><span class="title">Use</span></a><span class="description">How to use it.</span></span><svg></svg></div>
    <p><img class="light:sl-hidden" src="/_astro/dark.webp" alt="Plan" width="9" height="9"><img class="dark:sl-hidden" src="/_astro/light.webp" alt="Plan" width="9" height="9"></p>
  </div><footer class="sl-flex"><div class="meta sl-flex"><a href="https://github.com/acme/edit/install.md">Edit page</a></div><div class="pagination-links print:hidden"><a href="/setup/use/" rel="next"><span>Next<br><span class="link-title">Use</span></span></a></div></footer></div></div></main></div></div></div></div>`,
)

const gitbookHeading = (name: string, id: string, title: string) =>
  `<${name} id="${id}" class="text-3xl font-semibold group/heading relative flex scroll-m-12"><div class="hash grid grid-area-1-1 h-[1em]"><a href="#${id}" aria-label="Direct link to heading" class="inline-flex h-full items-start"><svg class="gb-icon"></svg></a></div><div class="grid-area-1-1 z-[1]">${title}</div></${name}>`

const gitbookCell = (role: string, text: string) =>
  `<div role="${role}" class="flex-1 align-middle px-3 py-2">${text}</div>`

export const gitbookPage = page(
  'GitBook (28f7fba)',
  'Install | Acme Docs',
  '<meta name="description" content="How to get it."><meta property="og:title" content="Install | Acme Docs">',
  `<header id="site-header"><a href="https://acme.dev/docs">Acme Docs</a></header>
  <aside id="table-of-contents" data-testid="table-of-contents" class="group page-no-toc:hidden"><div><ul class="flex flex-1 flex-col gap-y-0.5 overflow-y-auto"><li class="flex flex-col"><a class="group/toclink toclink" href="/docs">Welcome</a></li>
    <li class="group/page-group-item flex flex-col"><div class="-mt-6 sticky font-semibold text-xs uppercase tracking-wide">Setup</div><ul class="flex flex-col gap-y-0.5"><li class="flex flex-col"><a class="group/toclink toclink" href="/docs/setup/install">Install<span class="group"><svg></svg></span></a><div class="overflow-hidden"><ul class="ml-5 flex flex-col"><li class="flex flex-col"><a class="toclink" href="/docs/setup/install/linux">On Linux</a></li></ul></div></li></ul></li></ul></div></aside>
  <main class="relative min-w-0 flex-1 py-8 page-has-toc layout-default"><div class="sr-only">For the complete documentation index, see <a href="/docs/llms.txt">llms.txt</a>.</div>
  <header class="max-w-3xl mx-auto mb-6 space-y-3"><nav><ol class="flex flex-wrap items-center gap-2 text-tint"><li><a href="/docs/setup">Setup</a></li></ol></nav><div class="flex items-start justify-between gap-4"><h1 class="text-4xl font-bold flex items-center gap-4">Install</h1></div><p class="text-lg text-tint">How to get it.</p></header>
  <div class="contents" data-content-ref-root=""><div class="flex flex-col [&amp;&gt;*+*]:mt-5">
    <p class="mx-auto max-w-3xl w-full">Run <code class="py-px px-1.5 ring-1">acme</code>, see <a class="underline" href="/docs/setup/use#keys">keys</a>.</p>
    ${gitbookHeading('h2', 'own-id', 'In short')}
    <div class="hint transition-colors rounded-md overflow-hidden bg-warning border-warning text-sm grid grid-cols-[auto_1fr]"><div class="py-4 pl-4 text-warning-subtle"><svg class="gb-icon"></svg></div><div class="p-4 pl-3 space-y-3"><p>It bites.</p></div></div>
    <div class="rounded-lg"><div role="tablist" aria-orientation="horizontal" class="flex"><div class="relative flex"><button type="button" role="tab" aria-selected="true" aria-controls="tabpanel-a" id="tab-a">npm</button></div><div class="relative flex"><button type="button" role="tab" aria-selected="false" aria-controls="tabpanel-b" id="tab-b">Yarn</button></div></div><div role="tabpanel" id="tabpanel-a" aria-labelledby="tab-a" class="p-4"><p>With npm.</p></div><div role="tabpanel" id="tabpanel-b" aria-labelledby="tab-b" class="p-4 hidden"><p>With Yarn.</p></div></div>
    <div class="mx-auto"><div class="flex flex-row gap-4 md:gap-8"><div class="relative select-none"><div class="can-override-bg flex rounded-full tabular-nums">1</div><div class="can-override-bg absolute w-px"></div></div><div class="min-w-0 flex-1 pb-6">${gitbookHeading('h3', 'get-it', 'Get it')}<p>Fetch.</p></div></div><div class="flex flex-row gap-4 md:gap-8"><div class="relative select-none"><div class="can-override-bg flex rounded-full tabular-nums">2</div></div><div class="min-w-0 flex-1 pb-6"><p>Run.</p></div></div></div>
    <div class="group/codeblock grid grid-flow-col"><div class="flex items-center justify-start gap-2 text-sm [grid-area:1/1]"><div class="relative inline-flex text-xs leading-none">run.sh</div></div><button class="z-[2]">Copy</button><pre class="hide-scroll relative overflow-auto"><code id=":R1:" class="inline-grid min-w-full"><span class="highlight-line"><span class="highlight-line-number"></span><span class="highlight-line-content"><span style="color:red">acme</span> up
</span></span><span class="highlight-line highlighted"><span class="highlight-line-number"></span><span class="highlight-line-content">acme down</span></span></code></pre></div>
    <details class="group/expandable shadow-none"><summary class="cursor-pointer"><div class="inline-block">More</div></summary><div class="p-10"><p>Inside.</p></div></details>
    <div class="overflow-x-auto"><div role="table" class="flex flex-col"><div role="rowgroup" class="bg-tint"><div role="row" class="flex w-full">${gitbookCell('columnheader', 'Name')}${gitbookCell('columnheader', 'Use')}</div></div><div role="rowgroup" class="flex flex-col"><div role="row" class="flex">${gitbookCell('cell', '<div class="blocks"><p>a</p></div>')}${gitbookCell('cell', '<div class="blocks"><p>b | c</p></div>')}</div></div></div></div>
    <figure class="relative"><picture class="relative z-[1]"><img alt="Light" class="block dark:hidden" src="https://acme.dev/~gitbook/image?url=https%3A%2F%2Ffiles.gitbook.io%2Fl.png&amp;width=768&amp;dpr=4"><img alt="Light" class="hidden dark:block" src="https://acme.dev/~gitbook/image?url=https%3A%2F%2Ffiles.gitbook.io%2Fd.png&amp;width=768"></picture><figcaption class="text-sm text-center mt-2"><p>The look</p></figcaption></figure>
    <ul class="space-y-2"><li class="leading-normal flex items-start"><div class="mr-1 flex min-h-lh"><button type="button" role="checkbox" aria-checked="true" data-state="checked" disabled></button></div><label class="flex-1"><div class="flex flex-col space-y-2"><p>done</p></div></label></li></ul>
    <div class="grid"><div class="elevate-link group relative grid"><a class="link-overlay static before:absolute" href="/docs/one"></a><div class="grid-area-1-1 relative"><div class="flex flex-col gap-3"><div class="blocks"><p><strong>One</strong></p></div><div class="blocks"><p>First.</p></div></div></div></div><div class="elevate-link group relative grid"><a class="link-overlay" href="/docs/two"></a><div><div class="blocks"><p>Two</p></div></div></div></div>
    <p>Let ${katex('e^x')} be.</p>
  </div></div>
  <div class="mt-6 flex flex-row"><a class="group" href="/docs"><span><span>Previous</span><span>Welcome</span></span></a></div><div class="mt-6 flex"><p class="mr-auto text-sm">Last updated <time>1 day ago</time></p><p>Was this helpful?</p></div></main>`,
)
