-- Makes Neovim use the server as a person would, without a screen: nvim --headless --clean -S neovim.lua
-- The current directory holds the project, $FSRB_SETUP the Lua of the README that starts the server.

local function fail(what)
  io.stderr:write("neovim.lua: " .. what .. "\n")
  vim.cmd("cquit 1")
end

-- Waits until something holds.
local function wait(what, condition)
  if not vim.wait(20000, condition, 20) then
    fail("waited in vain: " .. what)
  end
end

local function same(what, found, wanted)
  if not vim.deep_equal(found, wanted) then
    fail(what .. ": found " .. vim.inspect(found) .. ", wanted " .. vim.inspect(wanted))
  end
end

local function codes(buffer)
  local codes = vim.tbl_map(function(found)
    return found.code
  end, vim.diagnostic.get(buffer))
  table.sort(codes)
  return codes
end

local function lines(buffer)
  return vim.api.nvim_buf_get_lines(buffer, 0, -1, false)
end

-- Chooses the first code action whose title begins like this, out of the menu that a person would see.
local function choose(title)
  local chosen = false
  vim.ui.select = function(items, _, on_choice)
    for _, item in ipairs(items) do
      local action = item.action or item[2]
      if vim.startswith(action.title, title) then
        chosen = true
        return on_choice(item)
      end
    end
    fail("no action " .. title .. " in " .. vim.inspect(items))
  end
  vim.lsp.buf.code_action()
  wait("action " .. title, function()
    return chosen
  end)
end

local function main()
  vim.o.hidden = true
  vim.o.swapfile = false
  vim.cmd("filetype on")
  vim.cmd("source " .. vim.fn.fnameescape(os.getenv("FSRB_SETUP")))

  -- Findings, on a line with characters of two and four bytes.
  vim.cmd("edit reply.md")
  local reply = vim.api.nvim_get_current_buf()
  wait("findings", function()
    return #vim.diagnostic.get(reply) > 0
  end)
  same("codes", codes(reply), { "suspicious-marker", "unexpected-marker" })
  local marker = vim.tbl_filter(function(found)
    return found.code == "suspicious-marker"
  end, vim.diagnostic.get(reply))[1]
  local line = lines(reply)[marker.lnum + 1]
  -- Neovim gives columns in bytes, whatever the server counts in.
  same("the marker's place", line:sub(marker.col + 1, marker.end_col), ">>>>>>> REPLACE \u{fc}\u{1f600}!")

  -- A quick fix.
  vim.api.nvim_win_set_cursor(0, { marker.lnum + 1, 0 })
  choose("write the marker exactly")
  wait("the fix", function()
    return lines(reply)[marker.lnum + 1] == ">>>>>>> REPLACE"
  end)
  wait("no findings", function()
    return #vim.diagnostic.get(reply) == 0
  end)

  -- A hover.
  vim.fn.search("^value = 2")
  vim.lsp.buf.hover()
  local shown
  wait("a hover", function()
    for _, window in ipairs(vim.api.nvim_list_wins()) do
      if vim.api.nvim_win_get_config(window).relative ~= "" then
        shown = table.concat(lines(vim.api.nvim_win_get_buf(window)), "\n")
        return true
      end
    end
  end)
  if not (shown:find("Edit 1 of 2 can be applied", 1, true) and shown:find("+value = 2", 1, true)) then
    fail("hover: " .. shown)
  end
  for _, window in ipairs(vim.api.nvim_list_wins()) do
    if vim.api.nvim_win_get_config(window).relative ~= "" then
      vim.api.nvim_win_close(window, true)
    end
  end

  -- To the lines that an edit changes.
  vim.fn.search("^value = '", "w")
  vim.lsp.buf.definition()
  wait("the jump", function()
    return vim.api.nvim_get_current_buf() ~= reply
  end)
  local target = vim.api.nvim_get_current_buf()
  same("the jump's file", vim.fn.fnamemodify(vim.api.nvim_buf_get_name(target), ":t"), "a.py")
  same("the jump's line", vim.api.nvim_win_get_cursor(0)[1], 2)

  -- What is typed into the target counts, saved or not.
  local before = lines(target)
  vim.api.nvim_buf_set_lines(target, 1, 2, false, { "value = 7" })
  wait("a finding of a target", function()
    return vim.deep_equal(codes(reply), { "search-not-found" })
  end)
  vim.cmd("undo")
  same("the target again", lines(target), before)
  wait("no finding of the target", function()
    return #vim.diagnostic.get(reply) == 0
  end)

  -- All edits, and back.
  vim.api.nvim_set_current_buf(reply)
  choose("Apply 2 edits to 2 files")
  wait("the edits", function()
    return lines(target)[2] == "value = 2"
  end)
  same("the target", lines(target), { "# \u{fc}\u{1f600}", "value = 2", "last = 3" })
  wait("the new file", function()
    local new = vim.fn.bufnr("new.py")
    return new > 0 and vim.api.nvim_buf_is_loaded(new) and lines(new)[1] == "\u{1f600} = 1"
  end)
  same("the new file", lines(vim.fn.bufnr("new.py")), { "\u{1f600} = 1" })
  vim.api.nvim_set_current_buf(target)
  same("the target is not written", vim.bo.modified, true)
  vim.cmd("undo")
  same("undo", lines(target), before)
  vim.cmd("redo")

  -- Files with lines that end in every way, some open and some not, edited, created and deleted.
  vim.cmd("edit crlf.txt")
  vim.cmd("edit empty.txt")
  vim.cmd("edit cr.txt")
  vim.cmd("edit all.diff")
  local all = vim.api.nvim_get_current_buf()
  wait("the lens", function()
    vim.lsp.codelens.refresh()
    local lenses = vim.lsp.codelens.get(all)
    return #lenses == 1 and lenses[1].command and lenses[1].command.title == "Apply 7 edits to 7 files"
  end)
  same("no findings of all.diff", vim.diagnostic.get(all), {})
  choose("Apply 7 edits to 7 files")
  wait("the last edit", function()
    local new = vim.fn.bufnr("src/file.txt")
    return new > 0 and vim.api.nvim_buf_is_loaded(new) and lines(new)[1] == "one"
  end)
  same("CRLF", lines(vim.fn.bufnr("crlf.txt")), { "one", "2 \u{fc}", "2.5", "three" })
  vim.cmd("wall")
  print("neovim: everything was as it should be")
end

local done, fault = xpcall(main, debug.traceback)
if not done then
  fail(fault)
end
vim.cmd("qall!")
