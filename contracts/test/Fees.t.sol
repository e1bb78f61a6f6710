// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {TokenBoost} from "../TokenBoost.sol";
import {BoostTest} from "./BoostTest.t.sol";
import {PlainToken} from "./Tokens.t.sol";
import {vm} from "./Vm.t.sol";

contract WithdrawFeesTest is BoostTest {
    function test_theOwnerGetsPaymentsThatHaveEnded() external {
        pay(ALICE, coin);
        pay(ALICE, coin);
        vm.warp(START + 86_400);
        vm.expectEmit(address(boost));
        emit TokenBoost.FeesWithdrawn(address(usdc), OWNER, 25_000_000);
        withdraw(coin);
        vm.assertEq(usdc.balanceOf(OWNER), 25_000_000);
        vm.assertEq(boost.earnedFees(address(usdc)), 0);
        vm.assertEq(boost.held(address(usdc)), 25_000_000);
        vm.assertTrue(isBoosted(coin));
        vm.warp(START + 172_800);
        withdraw(coin);
        vm.assertEq(usdc.balanceOf(OWNER), 50_000_000);
        vm.assertEq(boost.held(address(usdc)), 0);
    }

    function test_severalTokensAreCountedAtOnce() external {
        pay(ALICE, coin);
        pay(ALICE, other);
        vm.warp(START + 86_400);
        address[] memory tokens = new address[](3);
        (tokens[0], tokens[1], tokens[2]) = (address(other), address(coin), address(other));
        vm.prank(OWNER);
        boost.withdrawFees(address(usdc), tokens);
        vm.assertEq(usdc.balanceOf(OWNER), 50_000_000);
    }

    function test_whatIsEarnedAlreadyNeedsNoToken() external {
        pay(ALICE, coin);
        vm.warp(START + 86_400);
        pay(ALICE, coin);
        vm.prank(OWNER);
        boost.withdrawFees(address(usdc), new address[](0));
        vm.assertEq(usdc.balanceOf(OWNER), 25_000_000);
    }

    function test_paymentTokensAreApart() external {
        take(address(other));
        endow(address(other), ALICE, 25 ether);
        pay(ALICE, coin, address(other));
        pay(ALICE, coin);
        vm.warp(START + 172_800);
        withdraw(coin);
        vm.assertEq(usdc.balanceOf(OWNER), 25_000_000);
        vm.assertEq(other.balanceOf(OWNER), 0);
        vm.assertEq(boost.earnedFees(address(other)), 25 ether);
    }

    function test_revertsBeforeAPaymentHasEnded() external {
        test_revertsBeforeAPaymentHasEnded(86_399);
    }

    function test_revertsBeforeAPaymentHasEnded(uint256 later) public {
        pay(ALICE, coin);
        vm.warp(START + between(later, 0, 86_399));
        vm.expectRevert(abi.encodeWithSelector(TokenBoost.NoFeesToWithdraw.selector, address(usdc)));
        withdraw(coin);
    }

    function test_revertsWhenOnlyRefundsAreHeld() external {
        pay(ALICE, coin);
        remove(coin);
        vm.expectRevert(abi.encodeWithSelector(TokenBoost.NoFeesToWithdraw.selector, address(usdc)));
        withdraw(coin);
    }

    function test_revertsForAnybodyButTheOwner() external {
        vm.expectRevert(notOwner(ALICE));
        vm.prank(ALICE);
        boost.withdrawFees(address(usdc), new address[](0));
    }
}

contract SweepTest is BoostTest {
    function sweep(PlainToken token) internal {
        vm.prank(OWNER);
        boost.sweep(address(token));
    }

    function test_strayTokensGoToTheOwner() external {
        other.mint(address(boost), 7);
        vm.expectEmit(address(boost));
        emit TokenBoost.TokensSwept(address(other), OWNER, 7);
        sweep(other);
        vm.assertEq(other.balanceOf(OWNER), 7);
    }

    function test_onlyWhatIsMoreThanHeldIsSwept() external {
        test_onlyWhatIsMoreThanHeldIsSwept(1);
    }

    function test_onlyWhatIsMoreThanHeldIsSwept(uint256 stray) public {
        stray = between(stray, 1, 1e30);
        pay(ALICE, coin);
        pay(BOB, other);
        pay(BOB, coin);
        vm.warp(START + 86_400);
        remove(coin);
        usdc.mint(address(boost), stray);
        sweep(usdc);
        vm.assertEq(usdc.balanceOf(OWNER), stray);
        vm.assertEq(usdc.balanceOf(address(boost)), 75_000_000);
        vm.assertEq(boost.held(address(usdc)), 75_000_000);
    }

    function test_revertsWhenAllIsHeld() external {
        pay(ALICE, coin);
        vm.expectRevert(abi.encodeWithSelector(TokenBoost.NoTokensToSweep.selector, address(usdc)));
        sweep(usdc);
    }

    function test_revertsWhenNothingIsThere() external {
        vm.expectRevert(abi.encodeWithSelector(TokenBoost.NoTokensToSweep.selector, address(other)));
        sweep(other);
    }

    function test_revertsForAnybodyButTheOwner() external {
        vm.expectRevert(notOwner(ALICE));
        vm.prank(ALICE);
        boost.sweep(address(other));
    }
}
