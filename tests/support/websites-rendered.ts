// Pages as built by VitePress 1.6, Docusaurus 3.9 and Starlight 0.36, reduced to the relevant elements.

/** Image that is small enough for build tools to inline it as a data URL. */
const drawing = `data:image/svg+xml,${encodeURIComponent(
  `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9"><path d="${'M1 1L8 8'.repeat(12)}"/></svg>`,
)}`

// VitePress

const vpItem = (level: number, name: string, text: string, href: string | undefined, inside = '') =>
  `<${name} class="VPSidebarItem level-${level}${href === undefined ? ' collapsible collapsed' : ' is-link'}"><div class="item" tabindex="0"><div class="indicator"></div>${
    href === undefined
      ? `<p class="text">${text}</p>`
      : `<a class="VPLink link link" href="${href}"><!--[--><p class="text">${text}</p><!--]--></a>`
  }<!----></div>${inside === '' ? '<!---->' : `<div class="items"><!--[-->${inside}<!--]--></div>`}</${name}>`

const vpSidebar = (groups: string) =>
  `<aside class="VPSidebar"><div class="curtain"></div><nav class="nav" id="VPSidebarNav" aria-labelledby="sidebar-aria-label" tabindex="-1"><span class="visually-hidden" id="sidebar-aria-label"> Sidebar Navigation </span><!--[--><!--]--><!--[-->${groups}<!--]--><!--[--><!--]--></nav></aside>`

const vpGuideSidebar = vpSidebar(
  `<div class="no-transition group"><section class="VPSidebarItem level-0 has-active"><div class="item" role="button" tabindex="0"><div class="indicator"></div><h2 class="text">Guide</h2><!----></div><div class="items"><!--[-->${
    vpItem(1, 'div', 'Overview', '/hb/guide/') +
    vpItem(1, 'section', 'Deep', undefined, vpItem(2, 'div', 'Boats', '/hb/guide/boat.html'))
  }<!--]--></div></section></div>`,
)

const vpOptionsSidebar = vpSidebar(
  `<div class="no-transition group"><section class="VPSidebarItem level-0 is-link has-active"><div class="item" tabindex="0"><div class="indicator"></div><a class="VPLink link link" href="/hb/options.html"><!--[--><h2 class="text">Options</h2><!--]--></a><!----></div></section></div>`,
)

const vpPage = (title: string, body: string, sidebar = '') =>
  `<!DOCTYPE html><html lang="en-US" dir="ltr"><head><meta charset="utf-8"><title>${title}</title><meta name="description" content="Boats and tides"><meta name="generator" content="VitePress v1.6.4"></head>
  <body><div id="app"><div class="Layout"><!--[--><!--]--><!--[--><span tabindex="-1"></span><a href="#VPContent" class="VPSkipLink visually-hidden">Skip to content</a><!--]--><!---->
  <header class="VPNav"><div class="VPNavBar"><a class="title" href="/hb/"><span>Harbour</span></a><div id="local-search"><button type="button" class="DocSearch DocSearch-Button" aria-label="Search"><span class="DocSearch-Button-Placeholder">Search</span></button></div>
  <nav aria-labelledby="main-nav-aria-label" class="VPNavBarMenu menu"><span id="main-nav-aria-label" class="visually-hidden"> Main Navigation </span><a class="VPLink link VPNavBarMenuLink" href="/hb/guide/" tabindex="0"><span>Guide</span></a><a class="VPLink link VPNavBarMenuLink" href="/hb/options.html" tabindex="0"><span>Options</span></a></nav></div></header>
  <div class="VPLocalNav has-sidebar empty"><button class="menu"><span class="menu-text">Menu</span></button><div class="VPLocalNavOutlineDropdown"><button>Return to top</button></div></div>${sidebar}
  <div class="VPContent" id="VPContent">${body}</div><footer class="VPFooter has-sidebar"><div class="container"><p class="message">Released.</p><p class="copyright">Copyright Harbour</p></div></footer></div></div></body></html>`

const vpDoc = (title: string, sidebar: string, content: string) =>
  vpPage(
    `${title} | Harbour`,
    `<div class="VPDoc has-sidebar has-aside"><div class="container"><div class="aside"><div class="VPDocAside"><nav aria-labelledby="doc-outline-aria-label" class="VPDocAsideOutline"><div class="outline-title" role="heading">On this page</div><ul class="VPDocOutlineItem root"></ul></nav></div></div>
    <div class="content"><div class="content-container"><main class="main"><div style="position:relative;" class="vp-doc"><div>${content}</div></div></main>
    <footer class="VPDocFooter"><div class="edit-info"><div class="edit-link"><a class="VPLink link vp-external-link-icon no-icon edit-link-button" href="https://github.test/edit/page.md" target="_blank" rel="noreferrer"><span class="vpi-square-pen edit-link-icon"></span> Edit this page</a></div></div>
    <nav class="prev-next"><span class="visually-hidden" id="doc-footer-aria-label">Pager</span><div class="pager"><a class="VPLink link pager-link prev" href="/hb/guide/"><span class="desc">Previous page</span><span class="title">Overview</span></a></div></nav></footer></div></div></div></div>`,
    sidebar,
  )

const vpHeading = (level: number, id: string, html: string, written: string) =>
  `<h${level} id="${id}" tabindex="-1">${html} <a class="header-anchor" href="#${id}" aria-label="Permalink to &quot;${written}&quot;">​</a></h${level}>`

const vpCode = (lang: string, lines: string[]) =>
  `<div class="language-${lang} vp-adaptive-theme line-numbers-mode"><button title="Copy Code" class="copy"></button><span class="lang">${lang}</span><pre class="shiki shiki-themes github-light github-dark vp-code" tabindex="0"><code>${lines.join('\n')}</code></pre><div class="line-numbers-wrapper" aria-hidden="true">${lines
    .map((_, index) => `<span class="line-number">${index + 1}</span><br>`)
    .join('')}</div></div>`

const line = (text: string, kind = '') =>
  `<span class="line${kind}"><span style="--shiki-light:#D73A49;">${text}</span></span>`

const mathJax = (attributes: string, mathml: string) =>
  `<mjx-container class="MathJax" jax="SVG"${attributes} style="direction:ltr;position:relative;"><svg viewBox="0 0 9 9" aria-hidden="true"><g data-mml-node="math"><path d="M1 1"></path></g></svg><mjx-assistive-mml unselectable="on" style="position:absolute;display:block;overflow:hidden;"><math xmlns="http://www.w3.org/1998/Math/MathML">${mathml}</math></mjx-assistive-mml></mjx-container>`

export const vitepressBoat = vpDoc(
  'Boats',
  vpGuideSidebar,
  `${vpHeading(1, 'boats', 'Boats <span class="VPBadge tip"><!--[-->v2<!--]--></span>', 'Boats &lt;Badge type=&quot;tip&quot; text=&quot;v2&quot; /&gt;')}<nav class="table-of-contents"><ul><li><a href="#sail-at-90">Sail at 90%</a></li></ul></nav><p>Back to <a href="/hb/guide/#in-short">the overview</a> or <a href="./../options.html">options</a>.</p>` +
    `<div class="tip custom-block"><p class="custom-block-title">Own tip <code>x</code></p><p>Be quick.</p></div><div class="caution custom-block github-alert"><p class="custom-block-title">CAUTION</p><p>It sinks.</p></div><details class="details custom-block"><summary>Details</summary><p>Folded.</p></details>` +
    vpHeading(2, 'sail-at-90', 'Sail at 90%', 'Sail at 90%') +
    vpCode('js', [
      line('const gone = 1', ' diff remove'),
      line('const come = 2', ' diff add'),
      line('const kept = 3', ' highlighted'),
    ]) +
    `<p><img src="${drawing}" alt="A boat" title="At sea" loading="lazy"></p><p>So ${mathJax('', '<msup><mi>a</mi><mn>2</mn></msup><mo>+</mo><mfrac><mi>α</mi><mi>b</mi></mfrac>')} holds<sup class="footnote-ref"><a href="#fn1" id="fnref1">[1]</a></sup>.</p>` +
    mathJax(
      ' display="true"',
      '<munderover><mo data-mjx-texclass="OP">∑</mo><mrow data-mjx-texclass="ORD"><mi>i</mi><mo>=</mo><mn>0</mn></mrow><mi>n</mi></munderover><mi>i</mi>',
    ) +
    `<hr class="footnotes-sep"><section class="footnotes"><ol class="footnotes-list"><li id="fn1" class="footnote-item"><p>Always. <a href="#fnref1" class="footnote-backref">↩︎</a></p></li></ol></section>`,
)

/** Pages by path; every page has the description of the site. */
export const vitepressSite: Record<string, string> = {
  '/hb/': vpPage(
    'Harbour',
    `<div class="VPHome"><!--[--><!--]--><div class="VPHero has-image VPHomeHero"><div class="container"><div class="main"><h1 class="heading"><span class="name clip">Harbour</span><span class="text">All about water</span></h1><p class="tagline">Since 1900</p><div class="actions"><div class="action"><a class="VPButton medium brand" href="/hb/guide/">Start here</a></div></div></div></div></div>
    <div class="VPFeatures VPHomeFeatures"><div class="container"><div class="items"><div class="grid-2 item"><div class="VPLink no-icon VPFeature"><article class="box"><div class="icon">⚓</div><h2 class="title">Fast</h2><p class="details">It sails.</p><!----></article></div></div><div class="grid-2 item"><a class="VPLink link no-icon VPFeature" href="/hb/options.html"><article class="box"><img class="VPImage" src="/hb/icon.png" height="48" width="48" alt><h2 class="title">Open</h2><p class="details">It leads on.</p><div class="link-text"><p class="link-text-value">Read more <span class="vpi-arrow-right link-text-icon"></span></p></div></article></a></div></div></div></div></div>`,
  ),
  '/hb/guide/': vpDoc(
    'The guide',
    vpGuideSidebar,
    `${vpHeading(1, 'the-guide', 'The guide', 'The guide')}${vpHeading(2, 'in-short', 'In short', 'In short')}<p>Go <a href="./boat.html#sail-at-90">sailing</a>: <img src="/hb/assets/map.Bf3k_9aZ.png" alt="A map" loading="lazy"></p>`,
  ),
  '/hb/guide/boat.html': vitepressBoat,
  '/hb/options.html': vpDoc(
    'Options',
    vpOptionsSidebar,
    `${vpHeading(1, 'options', '<code>options</code>', '`options`')}<p>None. See <a href="./guide/boat.html">boats</a>.</p>`,
  ),
}

// Docusaurus

const docuLink = (text: string, href: string) =>
  `<li class="theme-doc-sidebar-item-link menu__list-item"><a class="menu__link" href="${href}"><span title="${text}" class="linkLabel_WmDU">${text}</span></a></li>`

/** Category without a page: its title links to the first page inside, which is visible only if the category is open. */
const docuCategory = (text: string, first: string, inside = '') =>
  `<li class="theme-doc-sidebar-item-category menu__list-item${inside === '' ? ' menu__list-item--collapsed' : ''}"><div class="menu__list-item-collapsible"><a class="categoryLink_byQd menu__link menu__link--sublist menu__link--sublist-caret" role="button" aria-expanded="${inside !== ''}" href="${first}"><span title="${text}" class="categoryLinkLabel_W154">${text}</span></a></div>${inside === '' ? '' : `<ul class="menu__list">${inside}</ul>`}</li>`

const docuPage = (kind: string, title: string, open: string, article: string) => {
  const category = (name: string, ...pages: [string, string][]) =>
    docuCategory(
      name,
      pages[0]?.[1] ?? '',
      name === open ? pages.map(([text, href]) => docuLink(text, href)).join('') : '',
    )
  return `<!doctype html><html lang="en" dir="ltr" class="docs-wrapper plugin-docs plugin-id-default docs-version-current ${kind}" data-has-hydrated="false"><head><meta charset="UTF-8"><meta name="generator" content="Docusaurus v3.9.2"><title data-rh="true">${title} | Harbour</title></head>
  <body class="navigation-with-keyboard"><div id="__docusaurus"><div role="region" aria-label="Skip to main content"><a class="skipToContent_fXgn" href="#__docusaurus_skipToContent_fallback">Skip to main content</a></div><div class="theme-announcement-bar announcementBar_mb4j" role="banner"><div class="content_knG7 announcementBarContent_xLdY">We have <b>news</b></div></div>
  <nav aria-label="Main" class="theme-layout-navbar navbar navbar--fixed-top"><a class="navbar__brand" href="/hb/"><b class="navbar__title text--truncate">Harbour</b></a><a aria-current="page" class="navbar__item navbar__link navbar__link--active" href="/hb/docs/">Docs</a></nav>
  <div id="__docusaurus_skipToContent_fallback" class="theme-layout-main main-wrapper mainWrapper_z2l0"><button aria-label="Scroll back to top" class="clean-btn theme-back-to-top-button backToTopButton_sjWU" type="button"></button><aside class="theme-doc-sidebar-container docSidebarContainer_YfHR"><nav aria-label="Docs sidebar" class="menu thin-scrollbar menu_SIkG"><ul class="theme-doc-sidebar-menu menu__list">${
    docuLink('Intro', '/hb/docs/') +
    category('Tides', ['Low', '/hb/docs/low'], ['High', '/hb/docs/high']) +
    category('Boats', ['Hull', '/hb/docs/hull'])
  }</ul></nav></aside>
  <main class="docMainContainer_TBSr"><div class="container"><div class="row"><div class="col docItemCol_VOVn"><div class="theme-doc-version-banner alert alert--warning margin-bottom--md" role="alert"><div>This is unreleased documentation for <!-- -->Harbour<!-- --> <b>Next</b> version.</div></div>${article}</div></div></div></main></div>
  <footer class="theme-layout-footer footer"><div class="footer__title">Docs</div><a class="footer__link-item" href="/hb/docs/">Intro</a><div class="footer__copyright">Copyright Harbour</div></footer></div></body></html>`
}

const docuDoc = (title: string, open: string, content: string) =>
  docuPage(
    'docs-doc-page',
    title,
    open,
    `<div class="docItemContainer_Djhp"><article><nav class="theme-doc-breadcrumbs breadcrumbsContainer_Z_bl" aria-label="Breadcrumbs"><ul class="breadcrumbs"><li class="breadcrumbs__item breadcrumbs__item--active"><span class="breadcrumbs__link">${title}</span></li></ul></nav><span class="theme-doc-version-badge badge badge--secondary">Version: Next</span><div class="tocCollapsible_ETCw theme-doc-toc-mobile tocMobile_ITEo"><button type="button" class="clean-btn tocCollapsibleButton_TO0P">On this page</button></div>
    <div class="theme-doc-markdown markdown"><header><h1>${title}</h1></header>${content}</div>
    <footer class="theme-doc-footer docusaurus-mt-lg"><div class="row margin-top--sm theme-doc-footer-tags-row"><b>Tags:</b><ul class="tags_jXut padding--none"><li class="tag_QGVx"><a rel="tag" class="tag_zVej tagRegular_sFm0" href="/hb/docs/tags/sea">sea</a></li></ul></div><a href="https://github.test/edit/page.md" class="theme-edit-this-page">Edit this page</a></footer></article>
    <nav class="docusaurus-mt-lg pagination-nav" aria-label="Docs pages"><a class="pagination-nav__link pagination-nav__link--next" href="/hb/docs/low"><div class="pagination-nav__sublabel">Next</div><div class="pagination-nav__label">Low</div></a></nav></div>`,
  )

const hash = (id: string, title: string) =>
  `<a href="#${id}" class="hash-link" aria-label="Direct link to ${title}" title="Direct link to ${title}" translate="no">​</a>`

const token = (text: string, kind = '') =>
  `<span class="token-line${kind} codeLine_lJS_" style="color:#393A34"><span class="codeLineNumber_Tfdd"></span><span class="codeLineContent_feaV"><span class="token plain">${text}</span></span><br></span>`

export const docusaurusHull = docuDoc(
  'Hull',
  'Boats',
  `<div class="tableOfContentsInline_prmo"><ul class="table-of-contents"><li><a href="#whats-below">What's below?</a></li></ul></div>
  <div class="theme-admonition theme-admonition-tip admonition_xJq3 alert alert--success"><div class="admonitionHeading_Gvgb"><span class="admonitionIcon_Rf37"><svg viewBox="0 0 12 16"></svg></span>Own <em>tip</em> <code>x</code></div><div class="admonitionContent_BuS1"><p>Be quick.</p></div></div>
  <h2 class="anchor anchorTargetStickyNavbar_Vzrq" id="whats-below">What's below?${hash('whats-below', "What's below?")}</h2>
  <div class="language-js codeBlockContainer_Ckt0 theme-code-block"><div class="codeBlockTitle_OeMC">hull.js</div><div class="codeBlockContent_QJqH"><pre tabindex="0" class="prism-code language-js codeBlock_bY9V thin-scrollbar" style="color:#393A34"><code class="codeBlockLines_e6Vv codeBlockLinesWithNumbering_o6Pm" style="counter-reset:line-count 0">${token('const a = 1')}${token('const b = 2')}</code></pre></div></div>
  <p><img decoding="async" loading="lazy" alt="A hull" src="${drawing}" class="img_ev3q"> <img decoding="async" loading="lazy" alt="A plan" src="/hb/assets/images/plan-761813723ad39ba249a950e0b5752fb5.png" width="120" height="90" class="img_ev3q"></p>
  <dl><dt>Keel <code>k</code></dt><dd>What keeps it upright.</dd></dl>`,
)

export const docusaurusSite: Record<string, string> = {
  '/hb/docs/': docuDoc(
    'Intro',
    '',
    `<p>See <a class="" href="/hb/docs/high#now">high tide</a>, <a class="" href="/hb/docs/hull#whats-below">hulls</a> and <a href="#here">this</a>.</p>`,
  ),
  '/hb/docs/low': docuDoc('Low', 'Tides', `<p>The water is low.</p>`),
  '/hb/docs/high': docuDoc(
    'High',
    'Tides',
    `<h2 class="anchor" id="now">Now${hash('now', 'Now')}</h2><p>Up, and <a class="" href="/hb/docs/">back</a>.</p>`,
  ),
  '/hb/docs/hull': docusaurusHull,
  '/hb/docs/tags/sea': docuPage(
    'docs-tags-doc-list-page',
    '4 docs tagged with "sea"',
    '',
    `<div class="container margin-vert--lg"><header class="margin-bottom--xl"><h1>4 docs tagged with "sea"</h1><a href="/hb/docs/tags">View all tags</a></header><section class="margin-vert--lg"><article class="margin-vert--lg"><a href="/hb/docs/low"><h2>Low</h2></a><p>The water is low.</p></article></section></div>`,
  ),
  '/hb/docs/tags': docuPage(
    'docs-tags-list-page',
    'Tags',
    '',
    `<h1>Tags</h1><section class="margin-vert--lg"><a rel="tag" class="tag_zVej tagWithCount_PGyn" href="/hb/docs/tags/sea">sea<span>4</span></a></section>`,
  ),
}

// Starlight

const ecLine = (text: string, kind = '') =>
  `<div class="ec-line${kind}"><div class="code"><span style="--0:#D6DEEB;--1:#403F53">${text}</span></div></div>`

const treeEntry = (html: string) => `<span class="tree-entry"><span class=""><span></span>${html}</span></span>`

export const starlightWelcome = `<!DOCTYPE html><html lang="en" dir="ltr" data-theme="dark"><head><meta charset="utf-8"><title>Welcome | Harbour</title><meta name="generator" content="Astro v5.18.0"><meta name="generator" content="Starlight v0.36.3"></head>
  <body><a href="#_top" class="astro-7q3lir66">Skip to content</a><div class="page sl-flex"><header class="header"><a href="/hb/" class="site-title sl-flex"><span translate="no">Harbour</span></a></header><div class="main-frame"><div class="lg:sl-flex"><div class="main-pane">
  <main data-pagefind-body lang="en" dir="ltr"><div class="sl-banner astro-laz2plt2" data-pagefind-ignore>New tables are <a href="/hb/start/">here</a>.</div><div class="content-panel"><div class="sl-container">
  <div class="hero astro-jbfsktt5"> <img src="/hb/_astro/shot.zr_JG_kM_Z2hvkWx.webp" loading="eager" decoding="async" alt="A boat" fetchpriority="auto" width="400" height="400"> <div class="sl-flex stack"> <div class="sl-flex copy"> <h1 id="_top" data-page-title>Welcome</h1> <div class="tagline">Boats and tides</div> </div> <div class="sl-flex actions"> <a class="sl-link-button not-content primary" href="/hb/start/"> Start <svg aria-hidden="true"></svg> </a> <a class="sl-link-button not-content minimal" href="https://github.test/source"> Source <svg aria-hidden="true"></svg> </a> </div> </div> </div>
  <div class="sl-markdown-content"> <starlight-file-tree class="not-content astro-p67cqifm" data-pagefind-ignore="true"><ul><li class="file">${treeEntry('package.json')}<span class="comment">, which is <strong>important</strong></span></li><li class="directory"><details open><summary>${treeEntry('<span class="sr-only">Directory</span>src')}</summary><ul><li class="file"><span class="tree-entry"><span class="highlight"><span></span><strong>Header.astro</strong></span></span></li><li class="file empty"><span class="tree-entry"><span class="">…</span></span></li></ul></details></li></ul></starlight-file-tree>
  <div class="expressive-code"><figure class="frame has-title not-content"><figcaption class="header"><span class="title">boat.js</span></figcaption><pre data-language="js" class="wrap"><code>${ecLine('const a = 1')}${ecLine('const b = 2', ' highlight ins')}${ecLine('const c = 3', ' highlight del')}</code></pre><div class="copy"><div aria-live="polite"></div><button title="Copy to clipboard" data-copied="Copied!" data-code="const a = 1"><div></div></button></div></figure></div>
  </div> <footer class="sl-flex"><div class="meta sl-flex"><a href="https://github.test/edit/index.mdx" class="sl-flex print:hidden">Edit page</a><p>Last updated: <time datetime="2024-03-04T00:00:00.000Z">Mar 4, 2024</time></p></div><div class="pagination-links print:hidden" dir="ltr"></div></footer></div></div></main></div></div></div></div></body></html>`
