// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

/// @title A token that turns on its holders: its owner changes all balances, takes a fee on transfers, or stops them. For tests only.
contract DevTrickToken {
    uint256 private constant ONE = 1e18;

    string public name;
    string public symbol;
    uint8 public constant decimals = 18;
    address public immutable owner;

    /// @notice What each account holds is its shares x `scale` / 10^18.
    uint256 public scale = ONE;
    /// @notice Hundredths of a percent that a transfer loses.
    uint256 public feeBps;
    /// @notice The one account besides the owner that may still send; zero: all may.
    address public soleSender;

    uint256 private totalShares;
    mapping(address => uint256) private shares;
    mapping(address => mapping(address => uint256)) public allowance;

    event Approval(address indexed owner, address indexed spender, uint256 amount);
    event Transfer(address indexed from, address indexed to, uint256 amount);

    error NotOwner(address caller);
    error Stopped(address from);
    error InsufficientBalance(address from, uint256 balance, uint256 wanted);
    error InsufficientAllowance(address from, address spender, uint256 allowed, uint256 wanted);

    /// @param supply in the smallest unit
    constructor(string memory name_, string memory symbol_, uint256 supply) {
        name = name_;
        symbol = symbol_;
        owner = msg.sender;
        totalShares = supply;
        shares[msg.sender] = supply;
        emit Transfer(address(0), msg.sender, supply);
    }

    /// @notice Multiplies all balances: `newScale` / 10^18 of the first ones are left.
    function rebase(uint256 newScale) external onlyOwner {
        scale = newScale;
    }

    function takeFee(uint256 newFeeBps) external onlyOwner {
        feeBps = newFeeBps;
    }

    /// @notice From now on only the owner and `sender` may send: buyers from a pool that is the sender can never sell.
    function stopTransfers(address sender) external onlyOwner {
        soleSender = sender;
    }

    function totalSupply() external view returns (uint256) {
        return (totalShares * scale) / ONE;
    }

    function balanceOf(address account) public view returns (uint256) {
        return (shares[account] * scale) / ONE;
    }

    function approve(address spender, uint256 amount) external returns (bool) {
        allowance[msg.sender][spender] = amount;
        emit Approval(msg.sender, spender, amount);
        return true;
    }

    function transfer(address to, uint256 amount) external returns (bool) {
        _transfer(msg.sender, to, amount);
        return true;
    }

    function transferFrom(address from, address to, uint256 amount) external returns (bool) {
        uint256 allowed = allowance[from][msg.sender];
        if (allowed < amount) revert InsufficientAllowance(from, msg.sender, allowed, amount);
        if (allowed != type(uint256).max) allowance[from][msg.sender] = allowed - amount;
        _transfer(from, to, amount);
        return true;
    }

    modifier onlyOwner() {
        if (msg.sender != owner) revert NotOwner(msg.sender);
        _;
    }

    function _transfer(address from, address to, uint256 amount) private {
        if (soleSender != address(0) && from != owner && from != soleSender) revert Stopped(from);
        uint256 moved = (amount * ONE) / scale;
        if (shares[from] < moved) revert InsufficientBalance(from, balanceOf(from), amount);
        uint256 fee = (moved * feeBps) / 10_000;
        shares[from] -= moved;
        shares[to] += moved - fee;
        shares[owner] += fee;
        emit Transfer(from, to, (amount * (10_000 - feeBps)) / 10_000);
    }
}
