import { type Html, attributes, markup, trusted } from '../html.ts'

/**
 * Script in the head of all pages. It precedes the styles, because a script after them waits for them and blocks the parser. The content
 * security policy allows it by its hash, so values that differ between pages are attributes of its element.
 *
 * It applies what the first paint shows: the theme that a reader chose, and the position of the navigation. What would delay the first
 * paint on slow devices follows it: the other scripts; web fonts, because browsers look up a font that is being loaded, and its
 * replacement, for each size and weight; and the layout of a long navigation and of what is below the window. Scripts are loaded at once
 * if they change what is shown (stored choices, the target of a link). The page is complete at once if the reader comes from a page of the
 * same host or reloads, so that fonts are probably cached, and if it may be scrolled: to the target of a link, or to where the reader was
 * before. Nothing waits if the page is not painted or this script is blocked, and only a second if the browser does not report the first
 * paint.
 */
export const headScript = `{let root=document.documentElement,{scripts,theme}=document.currentScript.dataset,stored=0,
loadScripts=()=>scripts&&import(scripts),
scroll=()=>requestAnimationFrame(()=>{
let entry=document.querySelector('.sidebar [aria-current]'),bar=entry?.closest('.sidebar');
if(!bar||'initial'in root.dataset&&entry.closest('.long-pages'))return;
let top=entry.getBoundingClientRect().top-bar.getBoundingClientRect().top;
if(top>bar.clientHeight*.7)bar.scrollTop+=top-bar.clientHeight/3}),
complete=()=>{if('initial'in root.dataset){delete root.dataset.initial;scroll()}};
try{let choice=theme!=null&&localStorage.getItem('theme');if(choice)root.dataset.theme=choice;stored=localStorage.length}catch{}
if(scripts&&!document.hidden&&!location.hash&&!document.referrer.startsWith(location.origin+'/')
&&performance.getEntriesByType('navigation')[0]?.type=='navigate')root.dataset.initial='';
if(document.hidden||stored||location.hash)loadScripts();
let finish=()=>{complete();loadScripts()};
new PerformanceObserver((_,observer)=>{observer.disconnect();finish()}).observe({type:'paint',buffered:true});
addEventListener('load',()=>setTimeout(finish,1000));
addEventListener('DOMContentLoaded',scroll)}`

interface HeadScriptOptions {
  /** URL of the scripts of the page, if this script loads them. */
  scripts?: string | undefined
  /** Whether readers can choose a theme. */
  canToggleTheme: boolean
}

export const renderHeadScript = ({ scripts, canToggleTheme }: HeadScriptOptions): Html =>
  markup`<script${attributes({ 'data-scripts': scripts, 'data-theme': canToggleTheme })}>${trusted(headScript)}</script>`
