/** Languages that are offered, by the names that the highlighter of published pages uses. Others can be typed. */
export const codeLanguages = (
  'bash bat c clojure cmake console cpp csharp css dart diff docker dotenv elixir elm erlang fsharp go graphql groovy handlebars ' +
  'haskell hcl html http ini java javascript json json5 jsonc jsonnet jsx julia kotlin kusto latex less liquid lua make markdown ' +
  'mdx mermaid nginx nix objective-c ocaml perl php plaintext powershell prisma prolog properties protobuf puppet python r ' +
  'razor regex ruby rust sass scala scheme scss shellscript solidity sql svelte swift terraform toml tsx twig typescript vb ' +
  'viml vue wasm xml yaml zig'
).split(' ')
