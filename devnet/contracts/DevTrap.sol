// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

/// @title An ERC-20 that holds its buyers up, in ways that its owner switches on: for tests only.
contract DevTrap {
    string public name;
    string public symbol;
    uint8 public constant decimals = 18;
    address public immutable owner;
    uint256 public totalSupply;

    mapping(address => uint256) public balanceOf;
    mapping(address => mapping(address => uint256)) public allowance;

    /// @notice The pool against which the rules work.
    address public pool;
    /// @notice Of 10,000 parts: what is burned of a transfer out of the pool, and of one into it.
    uint256 public buyTax;
    uint256 public sellTax;
    /// @notice 0 no rule, 1 nothing may be sent into the pool, 2 nothing may be sent, 3 what is sent into the pool burns all gas,
    /// 4 a transfer into the pool answers false, 5 a contract may not hold it, 6 only a transaction that costs no gas or comes from a
    /// known simulation may sell, 7 only what was bought in this block may be sold, 8 of anything else half is burned.
    uint256 public rule;
    /// @notice The block in which an address last bought.
    mapping(address => uint256) public boughtAt;

    event Approval(address indexed owner, address indexed spender, uint256 amount);
    event Transfer(address indexed from, address indexed to, uint256 amount);

    error NotOwner(address caller);
    error Held(address from, address to);

    /// @param supply in the smallest unit
    constructor(string memory name_, string memory symbol_, uint256 supply) {
        name = name_;
        symbol = symbol_;
        owner = msg.sender;
        totalSupply = supply;
        balanceOf[msg.sender] = supply;
    }

    function setRules(address pool_, uint256 buyTax_, uint256 sellTax_, uint256 rule_) external {
        if (msg.sender != owner) revert NotOwner(msg.sender);
        (pool, buyTax, sellTax, rule) = (pool_, buyTax_, sellTax_, rule_);
    }

    function approve(address spender, uint256 amount) external returns (bool) {
        allowance[msg.sender][spender] = amount;
        emit Approval(msg.sender, spender, amount);
        return true;
    }

    function transfer(address to, uint256 amount) external returns (bool) {
        return _transfer(msg.sender, to, amount);
    }

    function transferFrom(address from, address to, uint256 amount) external returns (bool) {
        allowance[from][msg.sender] -= amount;
        return _transfer(from, to, amount);
    }

    function _transfer(address from, address to, uint256 amount) private returns (bool) {
        if (rule == 2 || (rule == 1 && to == pool)) revert Held(from, to);
        if (rule == 3 && to == pool) while (true) balanceOf[from] += 0;
        if (rule == 4 && to == pool) return false;
        if (rule == 5 && to != pool && to.code.length > 0) revert Held(from, to);
        if (rule == 6 && to == pool && tx.gasprice > 0 && tx.origin != address(0xc0ffee01)) revert Held(from, to);
        if (rule == 7 && to == pool && boughtAt[from] != block.number) revert Held(from, to);
        if (from == pool) boughtAt[to] = block.number;
        uint256 tax = (amount * (to == pool ? sellTax : from == pool ? buyTax : 0)) / 10_000;
        if (rule == 8 && to == pool && boughtAt[from] != block.number) tax = amount / 2;
        balanceOf[from] -= amount;
        balanceOf[to] += amount - tax;
        totalSupply -= tax;
        emit Transfer(from, to, amount - tax);
        return true;
    }
}
