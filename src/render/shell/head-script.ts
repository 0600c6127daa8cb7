import { type Html, attributes, markup, trusted } from '../html.ts'

/**
 * Script in the head of all pages. It precedes the styles, because a script after them waits for them and blocks the parser. The content
 * security policy allows it by its hash, so values that differ between pages are attributes of its element.
 *
 * It applies what the first paint shows: the theme that a reader chose, and the position of the navigation. The other scripts and web
 * fonts would delay the first paint on slow devices, so both are loaded after it: browsers look up a font that is being loaded, and its
 * replacement, for each size and weight. Scripts are loaded at once if they change what is shown (stored choices, the target of a link),
 * fonts if the reader comes from a page of the same host, so that they are probably cached, and both if the page is not painted.
 */
export const headScript = `{let root=document.documentElement,{scripts,theme}=document.currentScript.dataset,stored=0,
loadFonts=()=>root.dataset.fonts='',loadScripts=()=>scripts&&import(scripts);
try{let choice=theme!=null&&localStorage.getItem('theme');if(choice)root.dataset.theme=choice;stored=localStorage.length}catch{}
if(document.hidden||document.referrer.startsWith(location.origin+'/'))loadFonts();
if(document.hidden||stored||location.hash)loadScripts();
new PerformanceObserver((_,observer)=>{observer.disconnect();loadFonts();loadScripts()}).observe({type:'paint',buffered:true});
addEventListener('DOMContentLoaded',()=>requestAnimationFrame(()=>{
let entry=document.querySelector('.sidebar [aria-current]'),bar=entry?.closest('.sidebar');
if(!bar)return;
let top=entry.getBoundingClientRect().top-bar.getBoundingClientRect().top;
if(top>bar.clientHeight*.7)bar.scrollTop+=top-bar.clientHeight/3}))}`

interface HeadScriptOptions {
  /** URL of the scripts of the page, if this script loads them. */
  scripts?: string | undefined
  /** Whether readers can choose a theme. */
  canToggleTheme: boolean
}

export const renderHeadScript = ({ scripts, canToggleTheme }: HeadScriptOptions): Html =>
  markup`<script${attributes({ 'data-scripts': scripts, 'data-theme': canToggleTheme })}>${trusted(headScript)}</script>`

/** Attribute of `<html>` for pages that show web fonts before the first paint. */
export const withFonts = { 'data-fonts': true }
